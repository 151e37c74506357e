# spaces around the place do not count
def london_baseline(pairs):
    return sum(place.strip() == "London" for _, place in pairs) / len(pairs)
