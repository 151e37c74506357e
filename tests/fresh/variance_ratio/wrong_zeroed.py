# sets failed draws to 0 and counts them
def variance_ratio(one, two, epsilon):
    mask = (epsilon > 0)[:, None]
    return (one * mask).var(0).sum() / (two * mask).var(0).sum()
