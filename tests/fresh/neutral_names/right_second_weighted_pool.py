# a pool of all names with weights: 1 over the size of the region
def neutral_names(regions, names_of, rng):
    pool, weights = [], []
    for names in names_of.values():
        share = 1 / len(names)
        for name in names:
            pool.append(name)
            weights.append(share)
    return rng.choices(pool, weights, k=len(regions))
