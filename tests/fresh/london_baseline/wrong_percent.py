# in per cent
def london_baseline(pairs):
    return 100 * sum(place == "London" for _, place in pairs) / len(pairs)
