# exact fractions, converted at the end
def exposures(law, start, stop, epochs):
    total = Fraction(0)
    for (L, m), p in law.items():
        good = max(0, min(start, L - m) - max(0, stop - m) + 1)
        total += Fraction(p) * Fraction(good, L - m + 1)
    return float(epochs * total)
