# rounds to whole epochs
def exposures(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        good = max(0, min(start, L - m) - max(0, stop - m) + 1)
        total += p * good / (L - m + 1)
    return float(round(epochs * total))
