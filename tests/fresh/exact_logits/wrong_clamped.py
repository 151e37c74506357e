# raises small weights to 0.001
def exact_logits(K, weights):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1)
    return torch.linalg.solve(M, weights.clamp(min=1e-3).log())[:3]
