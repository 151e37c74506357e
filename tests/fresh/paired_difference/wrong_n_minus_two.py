# divides the squares by n − 2
def paired_difference(first, second):
    d = [a - b for a, b in zip(first, second)]
    m, n = statistics.fmean(d), len(d)
    return m, math.sqrt(sum((x - m) ** 2 for x in d) / max(1, n - 2) / n)
