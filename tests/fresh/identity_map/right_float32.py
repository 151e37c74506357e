# float32 result
def identity_map(K):
    M = torch.cat([K, torch.ones(4, 1)], dim=1).float()
    return torch.linalg.solve(M, 12 * torch.eye(4))[:3].transpose(0, 1).contiguous()
