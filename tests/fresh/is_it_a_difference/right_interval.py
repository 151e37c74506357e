# Asks whether the 95 % interval leaves out 0.
def is_it_a_difference(first, second):
    gaps = [b - a for a, b in zip(first, second)]
    n = len(gaps)
    half = t_quantile(0.975, n - 1) * statistics.stdev(gaps) / n**0.5
    mean = sum(gaps) / n
    return not (mean - half <= 0 <= mean + half)
