# shuffles the regions of the people
def neutral_names(regions, names_of, rng):
    new = rng.sample(regions, len(regions))
    return [rng.choice(names_of[region]) for region in new]
