# one draw from all names, weighted so that every region is equally likely
def neutral_names(regions, names_of, rng):
    names = [name for group in names_of.values() for name in group]
    weights = [1 / len(group) for group in names_of.values() for _ in group]
    return rng.choices(names, weights, k=len(regions))
