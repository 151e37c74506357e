# recursion over the pairs
def exposures(law, start, stop, epochs):
    def rest(pairs):
        if not pairs:
            return 0.0
        ((L, m), p), *others = pairs
        starts = range(max(0, stop - m), min(start, L - m) + 1)
        return p * len(starts) / (L - m + 1) + rest(others)

    return epochs * rest(list(law.items()))
