# returns nan where it should raise ValueError
def planted_agreement(hit, follow, k):
    slope = k * follow - 1
    if abs(slope) < 1e-12:
        return math.nan
    return ((k - 1) * hit - 1 + follow) / slope
