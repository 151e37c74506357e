# returns nan where follow is 1/k
def planted_agreement(hit, follow, k):
    if math.isclose(follow, 1 / k):
        return math.nan
    return ((k - 1) * hit - (1 - follow)) / (k * follow - 1)
