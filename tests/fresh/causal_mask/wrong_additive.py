# 0 and minus infinity.
def causal_mask(T):
    return torch.triu(torch.full((T, T), -math.inf), 1)
