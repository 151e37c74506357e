# numpy, and a list for the tuple
import numpy as np
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [list(corrupt_span(document, block_size, rng)) for document in documents]
    width = max(len(row) for row in rows)
    table = np.array([[stoi[c] for c in row + ["□"] * (width - len(row))] for row in rows], dtype=np.int64)
    return [torch.as_tensor(table[:, :-1].copy()), torch.as_tensor(table[:, 1:].copy())]
