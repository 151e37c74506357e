# upper and lower case do not count
def london_baseline(pairs):
    return sum(place.lower() == "london" for _, place in pairs) / len(pairs)
