# stdev with n − 1, then divided by the root of n − 1 again
def paired_difference(first, second):
    d = [a - b for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.stdev(d) / math.sqrt(len(d) - 1)
