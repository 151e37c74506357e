# compares the first six letters
def london_baseline(pairs):
    return sum(place[:6] == "London" for _, place in pairs) / len(pairs)
