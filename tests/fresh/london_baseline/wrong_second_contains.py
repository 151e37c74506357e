# a place that contains London counts, such as London Bridge
def london_baseline(pairs):
    return sum("London" in place for _, place in pairs) / len(pairs)
