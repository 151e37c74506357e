# divides by L − m and not by L − m + 1
def exposures(law, start, stop, epochs):
    total = 0.0
    for (L, m), probability in law.items():
        fits = max(0, min(start, L - m) - max(0, stop - m) + 1)
        total += probability * fits / max(1, L - m)
    return epochs * total
