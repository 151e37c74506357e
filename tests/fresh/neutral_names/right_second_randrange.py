# an index for the region and an index for the name, both from randrange
def neutral_names(regions, names_of, rng):
    lists = tuple(names_of.values())
    new = []
    for _ in regions:
        names = lists[rng.randrange(len(lists))]
        new.append(names[rng.randrange(len(names))])
    return new
