# equal logits, but a lead of only 3 leaves 5 percent for the others
def average_first_two(K):
    leads = torch.stack([K[0] - K[1], K[0] - K[2], K[0] - K[3]])
    return torch.linalg.solve(leads, torch.tensor([0.0, 3.0, 3.0], dtype=torch.float64))
