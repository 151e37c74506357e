# draws from the other regions only
def neutral_names(regions, names_of, rng):
    new = []
    for old in regions:
        others = [region for region in names_of if region != old] or [old]
        new.append(rng.choice(names_of[rng.choice(others)]))
    return new
