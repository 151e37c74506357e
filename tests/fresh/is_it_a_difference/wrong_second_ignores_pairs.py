# an unpaired test with pooled variance
def is_it_a_difference(first, second):
    n = len(first)
    spread = math.sqrt((statistics.variance(first) + statistics.variance(second)) / n)
    gap = abs(statistics.fmean(first) - statistics.fmean(second))
    return gap > t_quantile(0.975, 2 * n - 2) * spread
