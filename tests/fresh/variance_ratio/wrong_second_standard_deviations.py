# adds up standard deviations instead of variances
def variance_ratio(one, two, epsilon):
    kept = epsilon > 0
    return one[kept].std(dim=0).sum() / two[kept].std(dim=0).sum()
