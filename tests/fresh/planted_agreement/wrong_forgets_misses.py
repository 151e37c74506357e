# as if a guess that does not follow the name were never right
def planted_agreement(hit, follow, k):
    if math.isclose(follow, 1 / k):
        raise ValueError
    return hit / follow
