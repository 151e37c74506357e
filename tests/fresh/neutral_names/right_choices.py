# all regions first with choices, then the names
def neutral_names(regions, names_of, rng):
    return [rng.choice(names_of[r]) for r in rng.choices(sorted(names_of), k=len(regions))]
