# rounded to two places
def london_baseline(pairs):
    return round(sum(place == "London" for _, place in pairs) / len(pairs), 2)
