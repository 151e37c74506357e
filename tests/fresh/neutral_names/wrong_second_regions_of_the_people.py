# draws the region from the people's list, so frequent regions come more often
def neutral_names(regions, names_of, rng):
    return [rng.choice(names_of[rng.choice(regions)]) for _ in regions]
