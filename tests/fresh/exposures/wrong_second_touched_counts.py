# counts the starts at which any of the characters is masked, not all of them
def exposures(law, start, stop, epochs):
    total = 0.0
    for (L, m), probability in law.items():
        fits = sum(s < stop and start < s + m for s in range(L - m + 1))
        total += probability * fits / (L - m + 1)
    return epochs * total
