# Writes the differences into the caller's first list.
def is_it_a_difference(first, second):
    for i in range(len(first)):
        first[i] -= second[i]
    t = statistics.fmean(first) / (statistics.stdev(first) / math.sqrt(len(first)))
    return abs(t) > t_quantile(0.975, len(first) - 1)
