# shuffles the possible starts and lengths
def corrupt_span(document, block_size, rng):
    lengths = list(range(4, int(7 / 8 * block_size) + 1))
    rng.shuffle(lengths)
    L = min(lengths[0], len(document))
    if L == 0:
        return "⁇⁇"
    sizes = list(range(1, max(1, int(L / 2 - 1)) + 1))
    rng.shuffle(sizes)
    m = sizes[0]
    starts = list(range(0, L - m + 1))
    rng.shuffle(starts)
    s = starts.pop()
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
