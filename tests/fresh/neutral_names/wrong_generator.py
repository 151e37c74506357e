# returns an iterator and not a list
def neutral_names(regions, names_of, rng):
    return map(lambda _: rng.choice(names_of[rng.choice(list(names_of))]), regions)
