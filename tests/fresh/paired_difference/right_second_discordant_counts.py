# only from the two counts of discordant sentences, n − 1 in the deviation
def paired_difference(first, second):
    n = len(first)
    b = sum(1 for one, other in zip(first, second) if one and not other)
    c = sum(1 for one, other in zip(first, second) if other and not one)
    difference = (b - c) / n
    variance = (b + c - n * difference**2) / (n - 1)
    return difference, math.sqrt(max(variance, 0.0) / n)
