# np.select with a list of conditions.
def gather_corruption(length, start, masked, block_size):
    n, s, m = (each.numpy()[:, None] for each in (length, start, masked))
    p = np.broadcast_to(np.arange(block_size), (len(n), block_size))
    e = n - m + 1
    cases = [p < s, p == s, p < e, p == e, p < n + 2]
    return torch.tensor(np.select(cases, [p, -1 + 0 * p, p + m - 1, -1 + 0 * p, s + p - e - 1], default=-2))
