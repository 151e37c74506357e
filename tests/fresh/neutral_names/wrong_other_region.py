# never the old region
def neutral_names(regions, names_of, rng):
    return [rng.choice(names_of[rng.choice([r for r in names_of if r != old])]) for old in regions]
