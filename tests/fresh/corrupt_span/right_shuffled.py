# shuffles the possible starts and lengths
def corrupt_span(document, block_size, rng):
    n = min(len(document), int(7 / 8 * block_size))
    lengths = [n] if n < 4 else list(range(4, n + 1))
    rng.shuffle(lengths)
    L = lengths[0]
    if L == 0:
        return "⁇⁇"
    sizes = list(range(1, max(1, int(L / 2 - 1)) + 1))
    rng.shuffle(sizes)
    m = sizes[0]
    starts = list(range(0, L - m + 1))
    rng.shuffle(starts)
    s = starts.pop()
    return document[:s] + "⁇" + document[s + m:L] + "⁇" + document[s:s + m]
