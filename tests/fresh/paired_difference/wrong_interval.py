# 1.96 standard errors
def paired_difference(first, second):
    d = [a - b for a, b in zip(first, second)]
    return statistics.fmean(d), 1.96 * statistics.pstdev(d) / math.sqrt(len(d))
