# the standard error of the first accuracy
def paired_difference(first, second):
    n = len(first)
    p, q = sum(first) / n, sum(second) / n
    return p - q, math.sqrt(p * (1 - p) / n)
