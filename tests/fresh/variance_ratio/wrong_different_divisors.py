# N - 1 for the one and N for the other
def variance_ratio(one, two, epsilon):
    k = epsilon > 0
    return one[k].var(0).sum() / two[k].var(0, unbiased=False).sum()
