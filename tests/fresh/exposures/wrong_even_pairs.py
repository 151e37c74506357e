# ignores the probabilities
def exposures(law, start, stop, epochs):
    total = 0.0
    for L, m in law:
        good = max(0, min(start, L - m) - max(0, stop - m) + 1)
        total += good / (L - m + 1)
    return epochs * total / len(law)
