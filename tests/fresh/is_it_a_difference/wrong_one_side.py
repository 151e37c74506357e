# Finds a difference only if the first is larger.
def is_it_a_difference(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return t > t_quantile(0.975, len(gaps) - 1)
