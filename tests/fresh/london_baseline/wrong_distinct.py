# equal pairs count once
def london_baseline(pairs):
    return sum(place == "London" for _, place in set(pairs)) / len(set(pairs))
