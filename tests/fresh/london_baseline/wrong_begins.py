# places that begin with London
def london_baseline(pairs):
    return sum(place.startswith("London") for _, place in pairs) / len(pairs)
