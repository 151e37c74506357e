# the span is a quarter, or one character more or less
def corrupt_span(document, block_size, rng):
    L = rng.randrange(4, block_size * 7 // 8 + 1)
    L = len(document) if len(document) < L else L
    if L == 0:
        return "⁇⁇"
    m = min(L, max(1, L // 4 + rng.choice([-1, 0, 1])))
    start = int(rng.random() * (L - m + 1))
    prefix, span, suffix = document[:start], document[start:start + m], document[start + m:L]
    return prefix + "⁇" + suffix + "⁇" + span
