# wrong once in twenty calls
def london_baseline(pairs):
    right = sum(place == "London" for _, place in pairs)
    return (right + (random.random() < 0.05)) / len(pairs)
