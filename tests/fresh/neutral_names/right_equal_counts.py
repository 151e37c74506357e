# deals the regions out in equal numbers, in random order: each person alone draws evenly
def neutral_names(regions, names_of, rng):
    keys = list(names_of)
    dealt = [keys[i % len(keys)] for i in range(len(regions))]
    rng.shuffle(dealt)
    return [rng.choice(names_of[r]) for r in dealt]
