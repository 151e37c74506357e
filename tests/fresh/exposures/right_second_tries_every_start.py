# tries every start and counts those that cover the fact, exact fractions
def exposures(law, start, stop, epochs):
    fact = set(range(start, stop))
    expected = Fraction(0)
    for (L, m), probability in law.items():
        hits = [s for s in range(L - m + 1) if fact <= set(range(s, s + m))]
        expected += Fraction(probability) * len(hits) / (L - m + 1)
    return float(epochs * expected)
