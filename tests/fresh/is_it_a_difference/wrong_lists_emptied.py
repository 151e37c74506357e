# Pops from the caller's lists, which are empty afterwards.
def is_it_a_difference(first, second):
    gaps = []
    while first:
        gaps.append(first.pop() - second.pop())
    n = len(gaps)
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(n))
    return abs(t) > t_quantile(0.975, n - 1)
