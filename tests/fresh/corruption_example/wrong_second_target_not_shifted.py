# y is the same as x
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
