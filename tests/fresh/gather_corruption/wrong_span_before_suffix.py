# The span comes before the suffix.
def gather_corruption(length, start, masked, block_size):
    rows = []
    for n, s, m in zip(length.tolist(), start.tolist(), masked.tolist()):
        row = [*range(s), -1, *range(s, s + m), -1, *range(s + m, n)]
        rows.append(row + [-2] * (block_size - len(row)))
    return torch.tensor(rows)
