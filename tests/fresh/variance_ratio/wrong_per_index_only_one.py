# excludes the failed draws from one of the two only
def variance_ratio(one, two, epsilon):
    k = epsilon > 0
    return one[k].var(0).sum() / two.var(0).sum()
