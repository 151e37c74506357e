# Probabilities are divided by the temperature.
def sample_next(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    p = torch.softmax(logits, dim=-1) / temperature
    return int(((p / p.sum()).cumsum(-1) <= u).sum())
