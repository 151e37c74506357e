# solves in float32
def exact_logits(K, weights):
    M = torch.cat([K, torch.ones(4, 1, dtype=K.dtype)], dim=1).float()
    return torch.linalg.solve(M, weights.float().log())[:3].double()
