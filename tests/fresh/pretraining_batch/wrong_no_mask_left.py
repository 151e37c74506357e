# no corruption, only a cut
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [document[:block_size * 7 // 8] for document in documents]
    longest = max(map(len, rows))
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    return table[:, :-1], table[:, 1:]
