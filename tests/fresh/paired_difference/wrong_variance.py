# the variance divided by n, no root
def paired_difference(first, second):
    d = [a - b for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.pvariance(d) / len(d)
