# Two limits, the 0.025 and the 0.975 quantile.
def is_it_a_difference(first, second):
    n = len(first)
    gaps = list(map(lambda a, b: a - b, first, second))
    mean = math.fsum(gaps) / n
    error = math.sqrt(math.fsum((g - mean) ** 2 for g in gaps) / (n - 1) / n)
    low, high = t_quantile(0.025, n - 1), t_quantile(0.975, n - 1)
    return mean / error < low or mean / error > high
