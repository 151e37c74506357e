# rounds to a whole number above 100
def variance_ratio(one, two, epsilon):
    k = epsilon > 0
    r = float(one[k].var(0).sum() / two[k].var(0).sum())
    return round(r) if r > 100 else r
