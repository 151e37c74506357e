# Exponentials overflow for small temperatures.
def sample_next(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    e = torch.exp(logits / temperature)
    return int(((e / e.sum()).cumsum(-1) <= u).sum())
