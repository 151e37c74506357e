# str.format pads the row, numpy makes the numbers
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
