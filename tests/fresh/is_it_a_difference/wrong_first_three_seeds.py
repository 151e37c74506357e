# Looks at the first three seeds only.
def is_it_a_difference(first, second):
    gaps = [first[i] - second[i] for i in range(3)]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(3))
    return abs(t) > t_quantile(0.975, 2)
