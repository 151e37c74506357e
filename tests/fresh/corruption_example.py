"""Fresh answers to corruption_example."""



corrupt_span = """
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]"""


corrupt_span_2 = """
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]"""

# fills two tensors of padding, character by character
right_loop = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng)
    x = torch.full((block_size - 1,), stoi["□"])
    y = torch.full((block_size - 1,), stoi["□"])
    for t, character in enumerate(row):
        if t < block_size - 1:
            x[t] = stoi[character]
        if t > 0:
            y[t - 1] = stoi[character]
    return x, y
"""

# a named tuple
right_named = corrupt_span + """
from collections import namedtuple
Example = namedtuple("Example", "x y")
def corruption_example(document, block_size, stoi, rng):
    text = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    encode = lambda piece: torch.tensor([stoi[each] for each in piece])
    return Example(x=encode(text[:-1]), y=encode(text[1:]))
"""

# an array of whole numbers, and torch.from_numpy
right_numpy = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = np.array([stoi[c] for c in corrupt_span(document, block_size, rng).ljust(block_size, "□")], dtype=np.int64)
    return torch.from_numpy(row[:-1]), torch.from_numpy(row[1:])
"""

# torch's own padding, and a list for the tuple
right_pad_function = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = torch.tensor([stoi[c] for c in corrupt_span(document, block_size, rng)])
    row = torch.nn.functional.pad(row, (0, block_size - len(row)), value=stoi["□"])
    return [row[:-1], row[1:]]
"""

# small whole numbers, converted to long at the end
right_small_first = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng)
    indices = torch.tensor([stoi[c] for c in row] + [stoi["□"]] * (block_size - len(row)), dtype=torch.int16)
    return indices[:-1].long(), indices[1:].to(torch.int64)
"""

# a column of a two-column table, so the result is not contiguous
right_strided = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng) + "□" * block_size
    table = torch.LongTensor([[stoi[a], stoi[b]] for a, b in zip(row[: block_size - 1], row[1:block_size])])
    return tuple(table.unbind(dim=1))
"""

# both are views of one row
right_unfold = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    padded = f"{corrupt_span(document, block_size, rng):□<{block_size}}"
    row = torch.tensor(list(map(stoi.__getitem__, padded)), dtype=torch.long)
    x, y = row.unfold(0, block_size - 1, 1)
    return x, y
"""

# str.format pads the row, numpy makes the numbers
right_second_numpy_and_map = """
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return "".join((kept[:start], "⁇", kept[start + m :], "⁇", kept[start : start + m]))
def corruption_example(document, block_size, stoi, rng):
    row = "{:□<{}}".format(corrupt_span(document, block_size, rng), block_size)
    numbers = np.fromiter(map(stoi.__getitem__, row), dtype=np.int64, count=block_size)
    x, y = numbers[: block_size - 1], numbers[1:block_size]
    return torch.from_numpy(x.copy()), torch.from_numpy(y.copy())
"""

# pads in the tensor: full of the padding index, then the row; x and y are copies of two slices
right_second_one_tensor_two_views = corrupt_span_2 + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng)
    numbers = torch.full((block_size,), stoi["□"], dtype=torch.long)
    for place, character in enumerate(row):
        numbers[place] = stoi[character]
    return numbers[:-1].clone(), numbers[1:].clone()
"""

# with a batch dimension
wrong_batch = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    row = torch.tensor([[stoi[c] for c in row]])
    return row[:, :-1], row[:, 1:]
"""

# sets the number of □ to 0 in the caller's dictionary
wrong_changes_stoi = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    stoi["□"] = 0
    row = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    row = torch.tensor([stoi[c] for c in row])
    return row[:-1], row[1:]
"""

# 32-bit whole numbers
wrong_int32 = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    row = torch.tensor([stoi[c] for c in row], dtype=torch.int32)
    return row[:-1], row[1:]
"""

# the last character of the row is no target
wrong_last_target = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng)
    x = torch.tensor([stoi[c] for c in row.ljust(block_size, "□")[:-1]])
    y = torch.tensor([stoi[c] for c in row[1:-1].ljust(block_size - 1, "□")])
    return x, y
"""

# corrupts for a longer block and cuts the row off
wrong_longer = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, 2 * block_size, rng).ljust(block_size, "□")[:block_size]
    row = torch.tensor([stoi[c] for c in row])
    return row[:-1], row[1:]
"""

# the marks are no targets
wrong_marks_no_target = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    x = torch.tensor([stoi[c] for c in row[:-1]])
    y = torch.tensor([stoi[c] if c != "⁇" else stoi["□"] for c in row[1:]])
    return x, y
"""

# the second mark is missing
wrong_mask_once = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    prefix, suffix, span = corrupt_span(document, block_size, rng).split("⁇")
    row = (prefix + "⁇" + suffix + span).ljust(block_size, "□")
    row = torch.tensor([stoi[c] for c in row])
    return row[:-1], row[1:]
"""

# forgets to corrupt
wrong_not_corrupted = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = document[: block_size].ljust(block_size, "□")
    row = torch.tensor([stoi[c] for c in row])
    return row[:-1], row[1:]
"""

# a generator of its own
wrong_own_seed = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, random.Random(1)).ljust(block_size, "□")
    row = torch.tensor([stoi[c] for c in row])
    return row[:-1], row[1:]
"""

# padding in front
wrong_pads_in_front = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).rjust(block_size, "□")
    row = torch.tensor([stoi[c] for c in row])
    return row[:-1], row[1:]
"""

# remembers the row of each document
wrong_remembers = corrupt_span + """
rows = {}
def corruption_example(document, block_size, stoi, rng):
    if document not in rows:
        rows[document] = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    row = torch.tensor([stoi[c] for c in rows[document]])
    return row[:-1], row[1:]
"""

# one column too many
wrong_row_of_block = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size + 1, "□")
    row = torch.tensor([stoi[c] for c in row])
    return row[:-1], row[1:]
"""

# only the masked span is a target
wrong_span_only = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng)
    second = row.rindex("⁇")
    row = row.ljust(block_size, "□")
    y = "□" * second + row[second + 1:]
    return tuple(torch.tensor([stoi[c] for c in text]) for text in (row[:-1], y))
"""

# y and x exchanged
wrong_swapped = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    row = torch.tensor([stoi[c] for c in row])
    return row[1:], row[:-1]
"""

# x and y come from two draws
wrong_two_draws = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    def row():
        return torch.tensor([stoi[c] for c in corrupt_span(document, block_size, rng).ljust(block_size, "□")])
    return row()[:-1], row()[1:]
"""

# pads with 0 and not with the index of □
wrong_zero_padding = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = [stoi[c] for c in corrupt_span(document, block_size, rng)]
    row = torch.tensor(row + [0] * (block_size - len(row)))
    return row[:-1], row[1:]
"""

# fills the row up with ⁇ in place of □
wrong_second_padded_with_mark = corrupt_span_2 + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size, "⁇")
    numbers = torch.tensor([stoi[character] for character in row], dtype=torch.long)
    return numbers[:-1], numbers[1:]
"""

# y is the same as x
wrong_second_target_not_shifted = corrupt_span_2 + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    numbers = torch.tensor([stoi[character] for character in row])
    return numbers[:-1], numbers[:-1].clone()
"""

# sets all targets before the masked span to padding, as for questions
wrong_second_targets_of_the_span_only = corrupt_span_2 + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng)
    second = row.rindex("⁇")
    padded = row.ljust(block_size, "□")
    target = "□" * second + padded[second + 1 :]
    return tuple(torch.tensor([stoi[character] for character in text]) for text in (padded[:-1], target))
"""

# indices above 255 are cut to eight bits
wrong_fourth_int8 = """
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    row = torch.tensor(np.array([stoi[c] for c in row]).astype(np.uint8)).long()
    return row[:-1], row[1:]
"""

# counts the characters in the order of the dictionary
wrong_fourth_order = """
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]
def corruption_example(document, block_size, stoi, rng):
    index = {c: i for i, c in enumerate(stoi)}
    row = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    row = torch.tensor([index[c] for c in row])
    return row[:-1], row[1:]
"""

# the last character of the row is always padding, also if the row fills the block
wrong_fourth_always_pad = """
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng)[:block_size - 1].ljust(block_size, "□")
    row = torch.tensor([stoi[c] for c in row])
    return row[:-1], row[1:]
"""

# adds an entry to the caller's table
wrong_fifth_changes_stoi = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    stoi.setdefault("<row>", len(stoi))
    numbers = torch.tensor([stoi[character] for character in row])
    return numbers[:-1], numbers[1:]
"""

# the index of ⁇ is taken to be 1
wrong_fifth_mark_is_one = corrupt_span + """
def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng).ljust(block_size, "□")
    numbers = torch.tensor([1 if character == "⁇" else stoi[character] for character in row])
    return numbers[:-1], numbers[1:]
"""
