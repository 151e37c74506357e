# the variance of all numbers together, around one mean for all coordinates
def variance_ratio(one, two, epsilon):
    kept = epsilon > 0
    return one[kept].var() / two[kept].var()
