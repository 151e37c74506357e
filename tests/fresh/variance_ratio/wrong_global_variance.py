# one variance over all numbers
def variance_ratio(one, two, epsilon):
    k = epsilon > 0
    return one[k].var() / two[k].var()
