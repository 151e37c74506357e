# whole numbers from rng.random()
def neutral_names(regions, names_of, rng):
    groups = [*names_of.values()]
    new = []
    for _ in regions:
        group = groups[int(rng.random() * len(groups))]
        new.append(group[math.floor(rng.random() * len(group))])
    return new
