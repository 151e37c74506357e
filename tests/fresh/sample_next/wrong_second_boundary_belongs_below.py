# a number exactly on the boundary gets the token before it
def sample_next(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    sums = torch.softmax(logits / temperature, dim=-1).cumsum(dim=-1)
    return min(int((sums < u).sum()), len(logits) - 1)
