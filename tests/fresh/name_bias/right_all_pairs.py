# the mean over all pairs of a name and a guess
def name_bias(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(map(lambda a, b: a == b, name_regions, guess_regions)) / N
    return agree - sum(a == b for a, b in itertools.product(name_regions, guess_regions)) / N**2
