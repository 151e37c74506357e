# the deviation of the absolute differences
def paired_difference(first, second):
    d = [a - b for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.pstdev([abs(x) for x in d]) / math.sqrt(len(d))
