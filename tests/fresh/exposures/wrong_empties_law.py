# takes the pairs out of the caller's dictionary
def exposures(law, start, stop, epochs):
    total = 0.0
    while law:
        (L, m), p = law.popitem()
        good = max(0, min(start, L - m) - max(0, stop - m) + 1)
        total += p * good / (L - m + 1)
    return epochs * total
