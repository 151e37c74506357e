# the error of two independent samples, without the pairs
def paired_difference(first, second):
    n = len(first)
    p, q = sum(first) / n, sum(second) / n
    return p - q, math.sqrt((p * (1 - p) + q * (1 - q)) / n)
