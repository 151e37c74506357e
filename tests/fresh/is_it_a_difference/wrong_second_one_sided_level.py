# takes the 0.95 quantile, which is the limit of a one-sided test
def is_it_a_difference(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    n = len(gaps)
    return abs(statistics.fmean(gaps)) > t_quantile(0.95, n - 1) * statistics.stdev(gaps) / math.sqrt(n)
