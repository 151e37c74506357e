# all indices in one flat list, reshaped at the end; x and y by two comprehensions
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
