# centres the caller's outputs in place
def variance_ratio(one, two, epsilon):
    k = epsilon > 0
    one -= one[k].mean(0)
    two -= two[k].mean(0)
    return (one[k] ** 2).sum() / (two[k] ** 2).sum()
