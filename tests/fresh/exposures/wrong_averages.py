# uses the average L and m
def exposures(law, start, stop, epochs):
    L = round(sum(p * L for (L, m), p in law.items()))
    m = round(sum(p * m for (L, m), p in law.items()))
    good = max(0, min(start, L - m) - max(0, stop - m) + 1)
    return float(epochs * good / (L - m + 1))
