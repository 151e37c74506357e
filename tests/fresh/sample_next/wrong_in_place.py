# The logits are divided in place.
def sample_next(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    logits /= temperature
    return int((torch.softmax(logits, dim=-1).cumsum(-1) <= u).sum())
