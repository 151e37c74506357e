# refuses every follow below 1/k, too
def planted_agreement(hit, follow, k):
    if follow <= 1 / k + 1e-12:
        raise ValueError
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)
