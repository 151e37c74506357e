# does not ask whether the span that starts there still fits into the kept text
def exposures(law, start, stop, epochs):
    total = 0.0
    for (L, m), probability in law.items():
        fits = max(0, start - max(0, stop - m) + 1)
        total += probability * min(1.0, fits / (L - m + 1))
    return epochs * total
