# the standard deviation of the differences, not divided by the root of n
def paired_difference(first, second):
    d = [int(a) - int(b) for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.pstdev(d)
