# pads in the tensor: full of the padding index, then the row; x and y are copies of two slices
def corrupt_span(document, block_size, rng):
    kept = document[: rng.randint(4, 7 * block_size // 8)]
    L = len(kept)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    start = rng.randint(0, L - m)
    return kept[:start] + "⁇" + kept[start + m :] + "⁇" + kept[start : start + m]


def corruption_example(document, block_size, stoi, rng):
    row = corrupt_span(document, block_size, rng)
    numbers = torch.full((block_size,), stoi["□"], dtype=torch.long)
    for place, character in enumerate(row):
        numbers[place] = stoi[character]
    return numbers[:-1].clone(), numbers[1:].clone()
