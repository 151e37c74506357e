# the region is drawn once for all people
def neutral_names(regions, names_of, rng):
    region = rng.choice(list(names_of))
    return [rng.choice(names_of[region]) for _ in regions]
