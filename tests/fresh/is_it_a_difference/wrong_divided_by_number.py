# The standard error divides by n.
def is_it_a_difference(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / len(gaps))
    return abs(t) > t_quantile(0.975, len(gaps) - 1)
