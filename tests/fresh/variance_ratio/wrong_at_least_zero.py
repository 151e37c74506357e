# keeps draws with epsilon equal to 0
def variance_ratio(one, two, epsilon):
    k = epsilon >= 0
    return one[k].var(0).sum() / two[k].var(0).sum()
