# only the first two coordinates
def variance_ratio(one, two, epsilon):
    k = epsilon > 0
    return one[k][:, :2].var(0).sum() / two[k][:, :2].var(0).sum()
