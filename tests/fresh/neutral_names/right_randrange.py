# randrange over a list of keys
def neutral_names(regions, names_of, rng):
    keys, out = list(names_of), []
    while len(out) < len(regions):
        names = names_of[keys[rng.randrange(len(keys))]]
        out.append(names[rng.randrange(len(names))])
    return out
