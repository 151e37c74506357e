# Changes `length` in place.
def gather_corruption(length, start, masked, block_size):
    p = torch.arange(block_size)
    length -= masked
    length += 1
    s, m, e = start[:, None], masked[:, None], length[:, None]
    out = torch.where(p > s, p + m - 1, p)
    out = torch.where(p > e, s + p - e - 1, out)
    out = torch.where((p == s) | (p == e), -1, out)
    return torch.where(p >= e + m + 1, -2, out)
