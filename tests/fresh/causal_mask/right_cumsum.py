# A running sum over the identity.
def causal_mask(T):
    return torch.eye(T).flip(1).cumsum(1).flip(1) > 0
