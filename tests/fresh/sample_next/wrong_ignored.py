# The temperature is only compared with 0.
def sample_next(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    return int((torch.softmax(logits, dim=-1).cumsum(-1) <= u).sum())
