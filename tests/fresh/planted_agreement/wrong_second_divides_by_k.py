# spreads the other guesses over all k regions
def planted_agreement(hit, follow, k):
    if math.isclose(follow, 1 / k):
        raise ValueError("nothing to learn")
    other = (1 - follow) / k
    return (hit - other) / (follow - other)
