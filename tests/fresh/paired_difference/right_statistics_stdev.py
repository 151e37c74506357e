# statistics.stdev with n − 1
def paired_difference(first, second):
    d = [int(a) - int(b) for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.stdev(d) / len(d) ** 0.5
