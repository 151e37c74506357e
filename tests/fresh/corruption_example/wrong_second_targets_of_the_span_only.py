# sets all targets before the masked span to padding, as for questions
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
