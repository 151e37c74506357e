# a counter that lives on between calls
seen = [0, 0]


def london_baseline(pairs):
    for _, place in pairs:
        seen[0] += place == "London"
        seen[1] += 1
    return seen[0] / seen[1]
