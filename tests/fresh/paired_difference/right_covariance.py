# the variance of a difference from variances and covariance
def paired_difference(first, second):
    x, y = np.asarray(first, float), np.asarray(second, float)
    cov = np.cov(x, y)
    variance = max(0.0, cov[0, 0] + cov[1, 1] - 2 * cov[0, 1])
    return [x.mean() - y.mean(), math.sqrt(variance / len(x))]
