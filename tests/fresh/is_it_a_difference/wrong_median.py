# The median of the differences in place of their mean.
def is_it_a_difference(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    t = statistics.median(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return abs(t) > t_quantile(0.975, len(gaps) - 1)
