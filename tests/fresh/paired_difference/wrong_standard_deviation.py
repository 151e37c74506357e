# the standard deviation, not divided by the root of n
def paired_difference(first, second):
    d = [a - b for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.pstdev(d)
