# rng.choice of the dict itself
def neutral_names(regions, names_of, rng):
    return [rng.choice(names_of[rng.choice(names_of)]) for _ in regions]
