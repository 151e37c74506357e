# the last character of the row is no target
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng)
    x = torch.tensor([stoi[c] for c in row.ljust(block_size, "□")[:-1]])
    y = torch.tensor([stoi[c] for c in row[1:-1].ljust(block_size - 1, "□")])
    return x, y
