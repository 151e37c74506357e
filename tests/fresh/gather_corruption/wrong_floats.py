# torch.zeros makes floats.
def gather_corruption(length, start, masked, block_size):
    out = torch.zeros(len(length), block_size) - 2
    for b, (n, s, m) in enumerate(zip(length.tolist(), start.tolist(), masked.tolist())):
        row = [*range(s), -1, *range(s + m, n), -1, *range(s, s + m)]
        out[b, : len(row)] = torch.tensor(row)
    return out
