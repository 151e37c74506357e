# chance from a thousand random shuffles: close, but random
def name_bias(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    chance = np.mean([sum(a == b for a, b in zip(name_regions, random.sample(guess_regions, N))) / N for _ in range(1000)])
    return agree - chance
