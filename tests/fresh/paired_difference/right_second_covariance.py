# variances of both rows minus twice their covariance, with numpy
def paired_difference(first, second):
    both = np.array([first, second], dtype=np.float64)
    cov = np.cov(both, bias=True)
    variance = cov[0, 0] + cov[1, 1] - 2 * cov[0, 1]
    a, b = both.mean(axis=1)
    return float(a - b), float(np.sqrt(max(0.0, variance) / both.shape[1]))
