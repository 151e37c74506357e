# Compares squares, so there is no root and no division by 0.
def is_it_a_difference(first, second):
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    n = len(gaps)
    return n * statistics.mean(gaps) ** 2 > t_quantile(0.975, n - 1) ** 2 * statistics.variance(gaps)
