# keeps draws above 1
def variance_ratio(one, two, epsilon):
    k = epsilon > 1
    return one[k].var(0).sum() / two[k].var(0).sum()
