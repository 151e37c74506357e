# A list of lists.
def causal_mask(T):
    return torch.tensor([[i <= t for i in range(T)] for t in range(T)])
