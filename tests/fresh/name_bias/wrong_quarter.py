# subtracts one over the number of regions
def name_bias(name_regions, guess_regions):
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / len(name_regions)
    return agree - 1 / len(set(name_regions) | set(guess_regions))
