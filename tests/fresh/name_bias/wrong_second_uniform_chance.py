# takes 1 over the number of regions as chance
def name_bias(name_regions, guess_regions):
    regions = set(name_regions) | set(guess_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / len(name_regions)
    return agree - 1 / len(regions)
