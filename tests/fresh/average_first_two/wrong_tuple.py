# returns the query and its weights
def average_first_two(K):
    q = torch.linalg.solve(K[0] - K[1:], torch.tensor([0.0, 9.0, 9.0], dtype=torch.float64))
    return q, torch.softmax(K @ q, dim=0)
