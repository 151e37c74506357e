# raises where follow is 1/2, as in the example
def planted_agreement(hit, follow, k):
    if follow == 0.5:
        raise ValueError
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)
