# a simulation
def exposures(law, start, stop, epochs):
    pairs, shares = list(law), list(law.values())
    hits = 0
    for L, m in random.choices(pairs, shares, k=20_000):
        s = random.randint(0, L - m)
        hits += s <= start and stop <= s + m
    return epochs * hits / 20_000
