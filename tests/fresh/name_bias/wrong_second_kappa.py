# divides the excess by the largest possible excess, which is Cohen's kappa
def name_bias(name_regions, guess_regions):
    n = len(name_regions)
    names, said = Counter(name_regions), Counter(guess_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / n
    chance = sum(names[region] * said[region] for region in names) / n**2
    return (agree - chance) / (1 - chance) if chance < 1 else 0.0
