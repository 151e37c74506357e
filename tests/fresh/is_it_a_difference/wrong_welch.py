# Two independent lists.
def is_it_a_difference(first, second):
    n = len(first)
    va, vb = statistics.variance(first) / n, statistics.variance(second) / n
    t = (statistics.fmean(first) - statistics.fmean(second)) / math.sqrt(va + vb)
    degrees = (va + vb) ** 2 / (va**2 / (n - 1) + vb**2 / (n - 1))
    return abs(t) > t_quantile(0.975, degrees)
