# forgets that the span must end within L
def exposures(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        if stop <= L:
            good = max(0, start - max(0, stop - m) + 1)
            total += p * good / (L - m + 1)
    return epochs * total
