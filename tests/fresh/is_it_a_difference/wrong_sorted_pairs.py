# Sorts both lists first, so the pairs are lost.
def is_it_a_difference(first, second):
    gaps = [a - b for a, b in zip(sorted(first), sorted(second))]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return abs(t) > t_quantile(0.975, len(gaps) - 1)
