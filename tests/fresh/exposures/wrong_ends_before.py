# the fact may not end where the kept text ends
def exposures(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        if stop < L:
            total += p * sum(s <= start and stop <= s + m for s in range(L - m + 1)) / (L - m + 1)
    return epochs * total
