# the number of regions of the notebook is written down
def planted_agreement(hit, follow, k):
    if math.isclose(follow, 0.25):
        raise ValueError
    return (3 * hit - (1 - follow)) / (4 * follow - 1)
