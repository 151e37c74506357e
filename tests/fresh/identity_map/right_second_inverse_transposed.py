# all four queries from one inverse of [K 1]
def identity_map(K):
    inverse = torch.linalg.inv(torch.cat((K, torch.ones_like(K[:, :1])), 1))
    return 18 * inverse.T[:, :3]
