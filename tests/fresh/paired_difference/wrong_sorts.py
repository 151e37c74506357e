# sorts both lists first, so the pairs are lost
def paired_difference(first, second):
    d = [a - b for a, b in zip(sorted(first), sorted(second))]
    return statistics.fmean(d), statistics.pstdev(d) / math.sqrt(len(d))
