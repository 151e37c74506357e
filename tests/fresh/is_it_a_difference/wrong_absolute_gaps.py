# Takes the size of each difference, so they all have one sign.
def is_it_a_difference(first, second):
    gaps = [abs(a - b) for a, b in zip(first, second)]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return t > t_quantile(0.975, len(gaps) - 1)
