# an index that never reaches the last name
def neutral_names(regions, names_of, rng):
    keys = list(names_of)
    new = []
    for _ in regions:
        names = names_of[keys[rng.randrange(len(keys))]]
        new.append(names[rng.randrange(max(1, len(names) - 1))])
    return new
