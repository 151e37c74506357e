# builds each row as a Python list
def gather_corruption(length, start, masked, block_size):
    rows = []
    for n, s, m in zip(length.tolist(), start.tolist(), masked.tolist()):
        document = list(range(n))
        span = document[s : s + m]
        row = document[:s] + [-1] + document[s + m :] + [-1] + span
        rows.append(row + [-2] * (block_size - len(row)))
    return torch.tensor(rows, dtype=torch.long).reshape(len(length), block_size)
