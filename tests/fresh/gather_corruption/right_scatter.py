# From the character's side: its place in the row is computed, and the numbers are scattered.
def gather_corruption(length, start, masked, block_size):
    B = length.shape[0]
    n, s, m = length[:, None], start[:, None], masked[:, None]
    c = torch.arange(block_size).expand(B, -1)
    place = torch.where(c < s, c, torch.where(c < s + m, n - m + 2 + c - s, c - m + 1))
    place = torch.where(c < n, place, block_size)
    out = torch.full((B, block_size + 1), -2)
    out.scatter_(1, place, c)
    out[:, :-1].scatter_(1, s, -1)
    out[:, :-1].scatter_(1, n - m + 1, -1)
    return out[:, :block_size]
