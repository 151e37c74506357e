# math.fsum over generators
def exposures(law, start, stop, epochs):
    return math.fsum(
        p / (L - m + 1) for (L, m), p in law.items() for s in range(L - m + 1) if s <= start < stop <= s + m
    ) * epochs
