# chance by brute force: every name with every guess
def name_bias(name_regions, guess_regions):
    n = len(name_regions)
    together = sum(a == b for a, b in zip(name_regions, guess_regions))
    at_random = sum(a == b for a, b in itertools.product(name_regions, guess_regions))
    return together / n - at_random / (n * n)
