# the sum of the standard deviations
def variance_ratio(one, two, epsilon):
    k = epsilon > 0
    return one[k].std(0).sum() / two[k].std(0).sum()
