# chance from one random shuffle
def name_bias(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    dealt = random.sample(guess_regions, N)
    return agree - sum(a == b for a, b in zip(name_regions, dealt)) / N
