# The number of sums that are at most u.
def sample_next(logits, temperature, u):
    if temperature > 0:
        return min(int((torch.softmax(logits / temperature, dim=-1).cumsum(dim=-1) <= u).sum()), len(logits) - 1)
    return logits.topk(1).indices.item()
