# takes each drawn name out of the list
def neutral_names(regions, names_of, rng):
    new = []
    for _ in regions:
        names = names_of[rng.choice(list(names_of))]
        name = rng.choice(names)
        if len(names) > 1:
            names.remove(name)
        new.append(name)
    return new
