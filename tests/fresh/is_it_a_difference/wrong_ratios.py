# Tests the logarithms of the ratios in place of the differences.
def is_it_a_difference(first, second):
    gaps = [math.log(a / b) for a, b in zip(first, second)]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return abs(t) > t_quantile(0.975, len(gaps) - 1)
