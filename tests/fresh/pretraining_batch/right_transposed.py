# filled column by column, so the result is not contiguous
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    longest = max(map(len, rows))
    table = torch.full((longest, len(rows)), stoi["□"], dtype=torch.long)
    for i, row in enumerate(rows):
        for t, character in enumerate(row):
            table[t, i] = stoi[character]
    return table[:-1].T, table[1:].T
