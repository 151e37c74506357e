# pads every row to block_size and not to the longest row
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
