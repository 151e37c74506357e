# Temperature 0 divides by 0.
def sample_next(logits, temperature, u):
    sums = torch.softmax(logits / temperature, dim=-1).cumsum(-1)
    return int((sums <= u).sum())
