# tries every start
def exposures(law, start, stop, epochs):
    expected = 0.0
    for (L, m), p in law.items():
        hits = 0
        for s in range(L - m + 1):
            if s <= start and stop <= s + m:
                hits += 1
        expected += p * hits / (L - m + 1)
    return epochs * expected
