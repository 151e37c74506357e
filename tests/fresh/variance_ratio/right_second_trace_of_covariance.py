# the trace of the covariance matrix from numpy, as a float
def variance_ratio(one, two, epsilon):
    keep = np.asarray(epsilon) > 0

    def spread(x):
        return np.trace(np.atleast_2d(np.cov(np.asarray(x)[keep].T)))

    return float(spread(one) / spread(two))
