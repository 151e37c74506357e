# draws from the regions of the people only
def neutral_names(regions, names_of, rng):
    keys = sorted(set(regions))
    return [rng.choice(names_of[rng.choice(keys)]) for _ in regions]
