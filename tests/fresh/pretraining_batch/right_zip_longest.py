# rows turned into columns by zip_longest
from itertools import zip_longest
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    columns = zip_longest(*(corrupt_span(d, block_size, rng) for d in documents), fillvalue="□")
    table = torch.tensor([[stoi[c] for c in column] for column in columns]).t()
    return table[:, :-1].contiguous(), table[:, 1:].contiguous()
