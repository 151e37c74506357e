# Probabilities are sorted first.
def sample_next(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    p, order = torch.softmax(logits / temperature, dim=-1).sort(descending=True)
    return int(order[int((p.cumsum(-1) <= u).sum())])
