# Keeps the limit of its first call.
class Limit:
    value = None


def is_it_a_difference(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    if Limit.value is None:
        Limit.value = t_quantile(0.975, len(gaps) - 1)
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return abs(t) > Limit.value
