# compares with `is`
def london_baseline(pairs):
    town = "".join(["Lon", "don"])
    return sum(place is town for _, place in pairs) / len(pairs)
