"""Fresh answers to pretraining_batch, part 2 of 2."""


# does not shift, x and y have all columns
wrong_one_column = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    longest = max(map(len, rows))
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    return table, table
"""


# one column of padding too many
wrong_one_more = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    longest = max(map(len, rows)) + 1
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# the state of the generator is set back for each document
wrong_same_cut = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    state = rng.getstate()
    rows = []
    for document in documents:
        rng.setstate(state)
        rows.append(corrupt_span(document, block_size, rng))
    longest = max(map(len, rows))
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# a new generator for each document
wrong_same_seed = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, random.Random(0)) for document in documents]
    longest = max(map(len, rows))
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# shuffles the caller's documents
wrong_shuffles = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rng.shuffle(documents)
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    longest = max(map(len, rows))
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# sorts the rows by length
wrong_sorted = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = sorted((corrupt_span(document, block_size, rng) for document in documents), key=len)
    longest = len(rows[-1])
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# only the masked span is a target
wrong_span_targets = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    longest = max(map(len, rows))
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    x, y = table[:, :-1], table[:, 1:].clone()
    for i, row in enumerate(rows):
        y[i, :row.rindex("⁇")] = stoi["□"]
    return x, y
"""


# a batch of one document loses its first dimension
wrong_squeezed = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    longest = max(map(len, rows))
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    return table[:, :-1].squeeze(), table[:, 1:].squeeze()
"""


# sets the generator back at the end, so the next batch draws the same
wrong_state_back = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    state = rng.getstate()
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    rng.setstate(state)
    longest = max(map(len, rows))
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# x and y from two draws
wrong_two_draws = """
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
"""


# pads with 0, not with the index of □
wrong_zero_padding = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [torch.tensor([stoi[c] for c in corrupt_span(document, block_size, rng)]) for document in documents]
    table = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
    return table[:, :-1], table[:, 1:]
"""


# the width is that of the longest document and not of the longest row
wrong_second_longest_document = """
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]


def pretraining_batch(documents, block_size, stoi, rng):
    width = max(map(len, documents)) + 2
    rows = [corrupt_span(each, block_size, rng).ljust(width, "□") for each in documents]
    table = torch.tensor([[stoi[character] for character in row] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# pads every row to block_size and not to the longest row
wrong_second_padded_to_the_block = """
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(each, block_size, rng).ljust(block_size, "□") for each in documents]
    table = torch.tensor([[stoi[character] for character in row] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# sorts the rows by length, so row i no longer belongs to document i
wrong_second_sorted_by_length = """
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = sorted((corrupt_span(each, block_size, rng) for each in documents), key=len, reverse=True)
    rows = [row.ljust(len(rows[0]), "□") for row in rows]
    table = torch.tensor([[stoi[character] for character in row] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# may keep three characters of a longer document
wrong_keeps_three = """
def corrupt_span(document, block_size, rng):
    kept = document[:rng.randint(3, 7 * block_size // 8)]
    m = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    s = rng.randint(0, len(kept) - m)
    return kept[:s] + "⁇" + kept[s + m:] + "⁇" + kept[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    longest = max(map(len, rows))
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# rounds the length up to a multiple of eight, as is good for a GPU
wrong_multiple_of_eight = """
def corrupt_span(document, block_size, rng):
    kept = document[:rng.randint(4, 7 * block_size // 8)]
    m = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    s = rng.randint(0, len(kept) - m)
    return kept[:s] + "⁇" + kept[s + m:] + "⁇" + kept[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    longest = -(-max(map(len, rows)) // 8) * 8
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# a row that fills the block loses its last character
wrong_block_minus_one = """
def corrupt_span(document, block_size, rng):
    kept = document[:rng.randint(4, 7 * block_size // 8)]
    m = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    s = rng.randint(0, len(kept) - m)
    return kept[:s] + "⁇" + kept[s + m:] + "⁇" + kept[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng)[:block_size - 1] for document in documents]
    longest = max(map(len, rows))
    table = torch.tensor([[stoi[c] for c in row.ljust(longest, "□")] for row in rows])
    return table[:, :-1], table[:, 1:]
"""


# x and y are padded after the shift: x lacks the last character of shorter rows
wrong_seventh_padded_after_the_shift = """
def corrupt_span(document, block_size, rng):
    kept = document[:rng.randint(4, 7 * block_size // 8)]
    m = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    s = rng.randint(0, len(kept) - m)
    return kept[:s] + "⁇" + kept[s + m:] + "⁇" + kept[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    longest = max(map(len, rows)) - 1
    x = torch.tensor([[stoi[c] for c in row[:-1].ljust(longest, "□")] for row in rows])
    return x, torch.tensor([[stoi[c] for c in row[1:].ljust(longest, "□")] for row in rows])
"""


# the table is one column too narrow for the longest row
wrong_seventh_one_column_too_few = """
def corrupt_span(document, block_size, rng):
    kept = document[:rng.randint(4, 7 * block_size // 8)]
    m = min(len(kept), rng.randint(1, max(1, len(kept) // 2 - 1)))
    s = rng.randint(0, len(kept) - m)
    return kept[:s] + "⁇" + kept[s + m:] + "⁇" + kept[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [corrupt_span(document, block_size, rng) for document in documents]
    longest = max(map(len, rows)) - 1
    table = torch.tensor([[stoi[c] for c in row[:longest].ljust(longest, "□")] for row in rows])
    return table[:, :-1], table[:, 1:]
"""
