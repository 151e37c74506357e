# only the pairs that can cover it, so the sum may be the whole number 0
def exposures(law, start, stop, epochs):
    total = 0
    for (L, m), p in law.items():
        if m < stop - start or L < stop:
            continue
        first, last = max(stop - m, 0), min(start, L - m)
        total += epochs * p * (last - first + 1) / (L - m + 1)
    return total
