# assumes that the failed draws are the last ones
def variance_ratio(one, two, epsilon):
    n = int((epsilon > 0).sum())
    return one[:n].var(0).sum() / two[:n].var(0).sum()
