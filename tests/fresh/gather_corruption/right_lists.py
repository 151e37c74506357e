# Python lists, row by row.
def gather_corruption(length, start, masked, block_size):
    rows = []
    for n, s, m in zip(length.tolist(), start.tolist(), masked.tolist()):
        row = list(range(s)) + [-1] + list(range(s + m, n)) + [-1] + list(range(s, s + m))
        rows.append(row + [-2] * (block_size - len(row)))
    return torch.tensor(rows)
