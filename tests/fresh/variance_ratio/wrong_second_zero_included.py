# the draws with epsilon exactly 0 count as well
def variance_ratio(one, two, epsilon):
    kept = epsilon >= 0
    return one[kept].var(dim=0).sum() / two[kept].var(dim=0).sum()
