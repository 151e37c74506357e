# negative counts are not set to 0
def exposures(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        good = min(start, L - m) - max(0, stop - m) + 1
        total += p * good / (L - m + 1)
    return epochs * max(0.0, total)
