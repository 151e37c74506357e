# both are views of one row
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def corruption_example(document, block_size, stoi, rng):
    padded = f"{corrupt_span(document, block_size, rng):□<{block_size}}"
    row = torch.tensor(list(map(stoi.__getitem__, padded)), dtype=torch.long)
    x, y = row.unfold(0, block_size - 1, 1)
    return x, y
