# an array of whole numbers, and torch.from_numpy
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def corruption_example(document, block_size, stoi, rng):
    row = np.array([stoi[c] for c in corrupt_span(document, block_size, rng).ljust(block_size, "□")], dtype=np.int64)
    return torch.from_numpy(row[:-1]), torch.from_numpy(row[1:])
