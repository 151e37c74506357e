# solves for the weights and not for their logarithms
def exact_logits(K, weights):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(M, weights)[:3]
