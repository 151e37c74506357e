"""Fresh answers to pretraining_batch, part 1 of 2."""


# numpy, and a list for the tuple
right_numpy = """
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
"""


# a corrupt_span with another distribution, and a class with helpers
right_other_law = """
class Corruption:
    def __init__(self, block_size, rng):
        self.block_size, self.rng = block_size, rng

    def __call__(self, document):
        rng = self.rng
        n = min(len(document), math.floor(self.block_size * 7 / 8))
        L = n if n < 4 else 4 + int((n - 3) * rng.random())
        m = min(L, max(1, L // 4 + rng.choice([-1, 0, 1])))
        s = rng.randrange(L - m + 1)
        return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = list(map(Corruption(block_size, rng), documents))
    longest = len(max(rows, key=len))
    x = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")[:-1]] for row in rows])
    y = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")[1:]] for row in rows])
    return x, y
"""


# torch's own padding of sequences
right_pad_sequence = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [torch.tensor([stoi[c] for c in corrupt_span(d, block_size, rng)]) for d in documents]
    table = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=stoi["□"])
    return table[:, :-1], table[:, 1:]
"""


# filled column by column, so the result is not contiguous
right_transposed = """
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
"""


# pads to the block and cuts the empty columns off
right_whole_block_first = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    table = torch.tensor([[stoi[c] for c in row.ljust(block_size, "□")] for row in rows])
    used = (table != stoi["□"]).any(dim=0).nonzero().max() + 1
    table = table[:, :used]
    return table[:, :-1], table[:, 1:]
"""


# rows turned into columns by zip_longest
right_zip_longest = """
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
"""


# all indices in one flat list, reshaped at the end; x and y by two comprehensions
right_second_one_long_list = """
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(each, block_size, rng) for each in documents]
    longest = len(max(rows, key=len))

    def table(first, end):
        flat = [stoi[row[i] if i < len(row) else "□"] for row in rows for i in range(first, end)]
        return torch.LongTensor(flat).view(len(rows), end - first)

    return table(0, longest - 1), table(1, longest)
"""


# index tensors of different lengths, padded by torch's pad_sequence
right_second_pad_sequence = """
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = []
    for document in documents:
        row = corrupt_span(document, block_size, rng)
        rows.append(torch.tensor([stoi[character] for character in row], dtype=torch.long))
    table = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=stoi["□"])
    return table[:, :-1].contiguous(), table[:, 1:].contiguous()
"""


# rows for 64 documents
wrong_always_64 = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(documents[i % len(documents)], block_size, rng) for i in range(64)]
    longest = max(map(len, rows))
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# pads to the block
wrong_block = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng).ljust(block_size, "□") for document in documents]
    table = torch.tensor([[stoi[c] for c in row] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# cut to the shortest row
wrong_cut_to_shortest = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    shortest = min(map(len, rows))
    table = torch.tensor([[stoi[c] for c in row[:shortest]] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# equal documents get the same row
wrong_document_once = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = {document: corrupt_span(document, block_size, rng) for document in documents}
    longest = max(map(len, rows.values()))
    table = torch.tensor([[stoi[c] for c in rows[document].ljust(longest, "□")] for document in documents])
    return table[:, :-1], table[:, 1:]
"""


# 32-bit whole numbers
wrong_int32 = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    longest = max(map(len, rows))
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows], dtype=torch.int32)
    return table[:, :-1], table[:, 1:]
"""


# the length of the last row, not of the longest
wrong_last_document = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    longest = len(rows[-1])
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")[:longest]] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# no corruption, only a cut
wrong_no_mask_left = """
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
"""


# the same document is corrupted once and looked up afterwards, in every later batch too
wrong_remembered_rows = """
known = {}


def corrupt_span(document, block_size, rng):
    if (document, block_size) not in known:
        kept = document[:rng.randint(4, 7 * block_size // 8)]
        m = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
        s = rng.randint(0, len(kept) - m)
        known[document, block_size] = kept[:s] + "⁇" + kept[s + m:] + "⁇" + kept[s:s + m]
    return known[document, block_size]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    longest = max(map(len, rows))
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# counts the characters in the order of the dictionary
wrong_fourth_order = """
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]
def pretraining_batch(documents, block_size, stoi, rng):
    index = {c: i for i, c in enumerate(stoi)}
    rows = [corrupt_span(d, block_size, rng) for d in documents]
    w = max(map(len, rows))
    t = torch.tensor([[index[c] for c in r.ljust(w, "□")] for r in rows])
    return t[:, :-1], t[:, 1:]
"""
