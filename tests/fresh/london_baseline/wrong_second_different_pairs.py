# counts over a set, so pairs that occur twice count once
def london_baseline(pairs):
    different = set(pairs)
    return len([1 for _, place in different if place == "London"]) / len(different)
