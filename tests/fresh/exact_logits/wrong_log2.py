# logarithm to the base 2
def exact_logits(K, weights):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(M, weights.log2())[:3]
