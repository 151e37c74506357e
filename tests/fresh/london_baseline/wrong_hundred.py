# divides by 100, the number of dev questions
def london_baseline(pairs):
    return sum(place == "London" for _, place in pairs) / 100
