# forgets that the span cannot start before 0
def exposures(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        good = max(0, min(start, L - m) - (stop - m) + 1)
        total += p * good / (L - m + 1)
    return epochs * total
