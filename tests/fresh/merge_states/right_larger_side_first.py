# Exchanges the sides row by row, so that the first has the larger m; one exponential is enough.
def merge_states(left, right):
    swap = right[0] > left[0]
    big = [torch.where(swap if x.dim() == 1 else swap[:, None], y, x) for x, y in zip(left, right)]
    small = [torch.where(swap if x.dim() == 1 else swap[:, None], x, y) for x, y in zip(left, right)]
    f = torch.where(small[0] == -math.inf, 0.0, torch.exp(small[0] - big[0]))
    return big[0], big[1] + f * small[1], big[2] + f.unsqueeze(-1) * small[2]
