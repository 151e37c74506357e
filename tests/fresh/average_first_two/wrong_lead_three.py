# a lead of 3 over the others: the weights are 0.477
def average_first_two(K):
    return torch.linalg.solve(K[0] - K[1:], torch.tensor([0.0, 3.0, 3.0], dtype=torch.float64))
