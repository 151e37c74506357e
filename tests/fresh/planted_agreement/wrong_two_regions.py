# the formula of the example, for two regions
def planted_agreement(hit, follow, k):
    if math.isclose(follow, 1 / k):
        raise ValueError
    return (hit - (1 - follow)) / (2 * follow - 1)
