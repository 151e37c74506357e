# sets of characters
def exposures(law, start, stop, epochs):
    fact = set(range(start, stop))

    def share(L, m):
        spans = [set(range(s, s + m)) for s in range(L - m + 1)]
        return sum(fact <= span for span in spans) / len(spans)

    return sum(epochs * p * share(*pair) for pair, p in law.items())
