# a loop over the rows with the differences to the other keys
def identity_map(K):
    Q = torch.zeros(4, 3, dtype=torch.float64)
    for i in range(4):
        others = [j for j in range(4) if j != i]
        Q[i] = torch.linalg.solve(K[i] - K[others], torch.full((3,), 6.0, dtype=torch.float64))
    return Q
