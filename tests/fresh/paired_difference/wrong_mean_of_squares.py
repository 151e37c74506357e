# the mean is not subtracted
def paired_difference(first, second):
    d = [a - b for a, b in zip(first, second)]
    return sum(d) / len(d), math.sqrt(sum(x * x for x in d) / len(d) / len(d))
