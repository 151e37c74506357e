# a float32 right-hand side beside float64 keys
def select_first(K):
    return torch.linalg.solve(K[0] - K[1:], torch.tensor([6.0, 6.0, 6.0]))
