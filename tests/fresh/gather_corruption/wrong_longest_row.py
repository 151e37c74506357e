# Rows are as long as the longest one needs.
def gather_corruption(length, start, masked, block_size):
    p = torch.arange(int(length.max()) + 2)
    s, m, n = start[:, None], masked[:, None], length[:, None]
    e = n - m + 1
    out = torch.where(p > s, p + m - 1, p)
    out = torch.where(p > e, s + p - e - 1, out)
    out = torch.where((p == s) | (p == e), -1, out)
    return torch.where(p >= n + 2, -2, out)
