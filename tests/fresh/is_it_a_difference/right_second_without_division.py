# squares instead of roots, so equal differences need no special case
def is_it_a_difference(first, second):
    n = len(first)
    gaps = [a - b for a, b in zip(first, second)]
    total = math.fsum(gaps)
    squares = math.fsum((gap - total / n) ** 2 for gap in gaps)
    limit = t_quantile(0.975, n - 1)
    return total**2 * (n - 1) > limit**2 * squares * n
