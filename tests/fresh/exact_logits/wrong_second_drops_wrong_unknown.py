# the ones are in front, but the last unknown is dropped
def exact_logits(K, weights):
    table = torch.cat([torch.ones(4, 1, dtype=torch.float64), K], dim=1)
    return torch.linalg.solve(table, torch.log(weights))[:3]
