# the mean of two queries that each select one key
def average_first_two(K):
    def selecting(i):
        others = torch.stack([K[i] - K[m] for m in range(4) if m != i])
        return torch.linalg.solve(others, 30 * torch.ones(3, dtype=torch.float64))

    return sum(selecting(i) for i in (0, 1)) / 2
