# seeds the generator first
def neutral_names(regions, names_of, rng):
    rng.seed(0)
    return [rng.choice(names_of[rng.choice(list(names_of))]) for _ in regions]
