# takes the standard deviation s for the variance
def scaling_variance(d, s, m):
    variance = d * (s + m**2)
    return variance, sp.sqrt(variance)
