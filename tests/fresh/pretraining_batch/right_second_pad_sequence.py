# index tensors of different lengths, padded by torch's pad_sequence
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
