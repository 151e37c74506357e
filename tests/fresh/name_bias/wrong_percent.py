# in per cent
def name_bias(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    return 100 * (agree - sum(name_regions.count(r) * guess_regions.count(r) for r in set(name_regions)) / N**2)
