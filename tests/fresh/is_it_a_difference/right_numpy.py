# numpy with ddof=1; the verdict is a numpy bool.
def is_it_a_difference(first, second):
    gaps = np.subtract(first, second)
    t = gaps.mean() / (gaps.std(ddof=1) / np.sqrt(gaps.size))
    return np.abs(t) > t_quantile(0.975, gaps.size - 1)
