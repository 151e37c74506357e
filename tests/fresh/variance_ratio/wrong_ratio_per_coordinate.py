# the mean of the ratios of the coordinates
def variance_ratio(one, two, epsilon):
    k = epsilon > 0
    return (one[k].var(0) / two[k].var(0)).mean()
