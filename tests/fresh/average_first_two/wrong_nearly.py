# weights of 0.515 and 0.485
def average_first_two(K):
    return torch.linalg.solve(K[0] - K[1:], torch.tensor([0.06, 9.0, 9.0], dtype=torch.float64))
