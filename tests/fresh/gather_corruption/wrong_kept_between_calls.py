# Writes into one array that is kept for each shape, and forgets to clear it.
OUT = {}


def gather_corruption(length, start, masked, block_size):
    shape = (len(length), block_size)
    out = OUT.setdefault(shape, torch.full(shape, -2))
    for b, (n, s, m) in enumerate(zip(length.tolist(), start.tolist(), masked.tolist())):
        row = [*range(s), -1, *range(s + m, n), -1, *range(s, s + m)]
        out[b, : len(row)] = torch.tensor(row)
    return out
