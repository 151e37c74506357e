# in percentage points
def paired_difference(first, second):
    d = [100 * (a - b) for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.pstdev(d) / math.sqrt(len(d))
