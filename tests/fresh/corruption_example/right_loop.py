# fills two tensors of padding, character by character
def corrupt_span(document, block_size, rng):
    top = min(len(document), 7 * block_size // 8)
    L = rng.randint(min(4, top), top)
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]


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
