# n degrees of freedom in place of n - 1
def is_it_a_difference(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    n = len(gaps)
    return abs(statistics.fmean(gaps)) > t_quantile(0.975, n) * statistics.stdev(gaps) / math.sqrt(n)
