# a shuffled copy of the regions, its first one
def neutral_names(regions, names_of, rng):
    def one():
        order = list(names_of.items())
        rng.shuffle(order)
        return rng.sample(order[0][1], 1)[0]

    return [one() for _ in range(len(regions))]
