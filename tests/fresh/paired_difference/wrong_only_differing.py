# only the sentences on which they differ, n is their number
def paired_difference(first, second):
    d = [a - b for a, b in zip(first, second) if a != b]
    return sum(d) / len(first), (statistics.pstdev(d) / math.sqrt(len(d)) if d else 0.0)
