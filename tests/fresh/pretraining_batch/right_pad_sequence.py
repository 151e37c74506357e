# torch's own padding of sequences
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


def pretraining_batch(documents, block_size, stoi, rng):
    rows = [torch.tensor([stoi[c] for c in corrupt_span(d, block_size, rng)]) for d in documents]
    table = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=stoi["□"])
    return table[:, :-1], table[:, 1:]
