# forgets that a guess off the name has k − 1 regions to go: right for k = 2
def planted_agreement(hit, follow, k):
    if math.isclose(follow, 1 / k):
        raise ValueError("nothing to learn")
    return (hit - (1 - follow)) / (2 * follow - 1)
