# refuses everything near 1/k
def planted_agreement(hit, follow, k):
    if abs(follow - 1 / k) < 0.1:
        raise ValueError
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)
