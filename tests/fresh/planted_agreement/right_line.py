# the two ends of a straight line
def planted_agreement(hit, follow, k):
    at_0, at_1 = (1 - follow) / (k - 1), follow
    if math.isclose(at_0, at_1):
        raise ValueError
    return (hit - at_0) / (at_1 - at_0)
