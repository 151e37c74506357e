# one minus the share of the others
def london_baseline(pairs):
    others = list(filter(lambda pair: pair[1] != "London", pairs))
    return 1 - len(others) / len(pairs)
