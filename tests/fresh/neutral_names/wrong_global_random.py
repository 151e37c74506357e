# the module random instead of rng
def neutral_names(regions, names_of, rng):
    return [random.choice(names_of[random.choice(list(names_of))]) for _ in regions]
