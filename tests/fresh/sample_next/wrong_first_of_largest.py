# The sum is started at the largest logit.
def sample_next(logits, temperature, u):
    if temperature == 0:
        return 0
    return int((torch.softmax(logits / temperature, dim=-1).cumsum(-1) <= u).sum())
