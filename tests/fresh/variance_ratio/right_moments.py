# the mean of squares minus the square of the mean
def variance_ratio(one, two, epsilon):
    mask = (epsilon > 0).to(one.dtype)[:, None]
    n = mask.sum()
    def spread(x):
        mean = (mask * x).sum(0) / n
        return (mask * x * x).sum() / n - mean @ mean
    return spread(one) / spread(two)
