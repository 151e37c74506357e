# London anywhere in the place
def london_baseline(pairs):
    return sum("London" in place for _, place in pairs) / len(pairs)
