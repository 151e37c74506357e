# every name equally likely, so large regions come more often
def neutral_names(regions, names_of, rng):
    names = [name for group in names_of.values() for name in group]
    return [rng.choice(names) for _ in regions]
