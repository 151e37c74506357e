# The token whose running sum is nearest to u.
def sample_next(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    return int((torch.softmax(logits / temperature, dim=-1).cumsum(-1) - u).abs().argmin())
