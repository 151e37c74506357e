# the share of the other places
def london_baseline(pairs):
    return sum(place != "London" for _, place in pairs) / len(pairs)
