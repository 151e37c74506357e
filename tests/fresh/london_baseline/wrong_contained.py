# the place is a part of London
def london_baseline(pairs):
    return sum(place in "London" for _, place in pairs) / len(pairs)
