# Cohen's kappa: divided by 1 minus chance
def name_bias(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    chance = sum(name_regions.count(r) * guess_regions.count(r) for r in set(name_regions)) / N**2
    return (agree - chance) / (1 - chance) if chance < 1 else 0.0
