# divides by k instead of k - 1
def planted_agreement(hit, follow, k):
    if math.isclose(follow, 1 / k):
        raise ValueError
    return (hit - (1 - follow) / k) / (follow - (1 - follow) / k)
