# each character as if on its own
def exposures(law, start, stop, epochs):
    total = 1.0
    for t in range(start, stop):
        total *= sum(p * sum(s <= t < s + m for s in range(L - m + 1)) / (L - m + 1) for (L, m), p in law.items())
    return epochs * total
