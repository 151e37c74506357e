# x and y from two draws
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    def table():
        rows = [corrupt_span(document, block_size, rng) for document in documents]
        return torch.tensor([[stoi[c] for c in row.ljust(block_size, "□")] for row in rows])

    x, y = table(), table()
    longest = int((x != stoi["□"]).any(dim=0).nonzero().max()) + 1
    return x[:, :longest - 1], y[:, 1:longest]
