# second minus first
def paired_difference(first, second):
    d = [b - a for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.pstdev(d) / math.sqrt(len(d))
