# the absolute difference
def paired_difference(first, second):
    d = [a - b for a, b in zip(first, second)]
    return abs(statistics.fmean(d)), statistics.pstdev(d) / math.sqrt(len(d))
