# Rounds t and the limit to whole numbers.
def is_it_a_difference(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return abs(round(t)) > round(t_quantile(0.975, len(gaps) - 1))
