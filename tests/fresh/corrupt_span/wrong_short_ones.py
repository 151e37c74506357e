# short lengths are more frequent than long ones
def corrupt_span(document, block_size, rng):
    top = int(block_size * 0.875)
    if len(document) >= 4:
        most = min(len(document), top)
        L = 4 + int((most - 3) * rng.random() ** 2)
    else:
        L = len(document)
    text = document[:L]
    if not text:
        return "⁇⁇"
    m = rng.choice(range(1, max(2, L // 2)))
    s = rng.choice(range(L - m + 1))
    return text[:s] + "⁇" + text[s + m:] + "⁇" + text[s:s + m]
