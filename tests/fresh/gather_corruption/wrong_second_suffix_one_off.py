# the suffix forgets the ⁇ before it, so every source is one too large
def gather_corruption(length, start, masked, block_size):
    n, s, m = length[:, None], start[:, None], masked[:, None]
    place = torch.arange(block_size)[None]
    second = n - m + 1
    row = torch.where(place < s, place, place + m)
    row = torch.where(place > second, place - second - 1 + s, row)
    row = torch.where((place == s) | (place == second), -1, row)
    return torch.where(place >= n + 2, -2, row)
