# multiplies the caller's rows in place
def weighted_average(values, weights):
    values *= weights[:, None]
    return values.sum(dim=0)
