# keeps the failed draws
def variance_ratio(one, two, epsilon):
    return one.var(0).sum() / two.var(0).sum()
