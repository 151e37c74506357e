# 32-bit whole numbers
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    row = torch.tensor([stoi[c] for c in row], dtype=torch.int32)
    return row[:-1], row[1:]
