"""Fresh answers to corruption_example, part 2 of 2."""


# the second mark is missing
wrong_mask_once = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def corruption_example(document, block_size, stoi, rng):
    prefix, suffix, span = corrupt_span(document, block_size, rng).split("⁇")
    row = (prefix + "⁇" + suffix + span).ljust(block_size, "□")
    row = torch.tensor([stoi[c] for c in row])
    return row[:-1], row[1:]
"""


# forgets to corrupt
wrong_not_corrupted = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def corruption_example(document, block_size, stoi, rng):
    row = document[: block_size].ljust(block_size, "□")
    row = torch.tensor([stoi[c] for c in row])
    return row[:-1], row[1:]
"""


# a generator of its own
wrong_own_seed = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, random.Random(1)).ljust(block_size, "□")
    row = torch.tensor([stoi[c] for c in row])
    return row[:-1], row[1:]
"""


# padding in front
wrong_pads_in_front = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).rjust(block_size, "□")
    row = torch.tensor([stoi[c] for c in row])
    return row[:-1], row[1:]
"""


# remembers the row of each document
wrong_remembers = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


rows = {}


def corruption_example(document, block_size, stoi, rng):
    if document not in rows:
        rows[document] = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    row = torch.tensor([stoi[c] for c in rows[document]])
    return row[:-1], row[1:]
"""


# one column too many
wrong_row_of_block = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size + 1, "□")
    row = torch.tensor([stoi[c] for c in row])
    return row[:-1], row[1:]
"""


# only the masked span is a target
wrong_span_only = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng)
    second = row.rindex("⁇")
    row = row.ljust(block_size, "□")
    y = "□" * second + row[second + 1:]
    return tuple(torch.tensor([stoi[c] for c in text]) for text in (row[:-1], y))
"""


# y and x exchanged
wrong_swapped = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    row = torch.tensor([stoi[c] for c in row])
    return row[1:], row[:-1]
"""


# x and y come from two draws
wrong_two_draws = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def corruption_example(document, block_size, stoi, rng):
    def row():
        return torch.tensor([stoi[c] for c in corrupt_span(document, block_size, rng).ljust(block_size, "□")])

    return row()[:-1], row()[1:]
"""


# pads with 0 and not with the index of □
wrong_zero_padding = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def corruption_example(document, block_size, stoi, rng):
    row = [stoi[c] for c in corrupt_span(document, block_size, rng)]
    row = torch.tensor(row + [0] * (block_size - len(row)))
    return row[:-1], row[1:]
"""


# fills the row up with ⁇ in place of □
wrong_second_padded_with_mark = """
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]


def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size, "⁇")
    numbers = torch.tensor([stoi[character] for character in row], dtype=torch.long)
    return numbers[:-1], numbers[1:]
"""


# y is the same as x
wrong_second_target_not_shifted = """
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]


def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    numbers = torch.tensor([stoi[character] for character in row])
    return numbers[:-1], numbers[:-1].clone()
"""


# sets all targets before the masked span to padding, as for questions
wrong_second_targets_of_the_span_only = """
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]


def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng)
    second = row.rindex("⁇")
    padded = row.ljust(block_size, "□")
    target = "□" * second + padded[second + 1 :]
    return tuple(torch.tensor([stoi[character] for character in text]) for text in (padded[:-1], target))
"""
