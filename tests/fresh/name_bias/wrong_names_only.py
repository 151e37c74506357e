# the squares of the names' shares for both
def name_bias(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    return agree - sum((name_regions.count(r) / N) ** 2 for r in set(name_regions))
