# Finds the p-value by halving with t_quantile, forty times.
def is_it_a_difference(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    n = len(gaps)
    t = abs(statistics.fmean(gaps)) / (statistics.stdev(gaps) / math.sqrt(n))
    low, high = 0.5, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        if t_quantile(middle, n - 1) < t:
            low = middle
        else:
            high = middle
    return 2 * (1 - low) < 0.05
