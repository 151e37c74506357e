# removes the first occurrence of the span's text, so later starts are rarer
def corrupt_span(document, block_size, rng):
    L = min(len(document), rng.randint(4, block_size * 7 // 8))
    m = min(L, rng.randint(1, max(1, L // 2 - 1)))
    s = rng.randint(0, L - m)
    span = document[s:s + m]
    return document[:L].replace(span, "⁇", 1) + "⁇" + span
