# from the two counts b and c of McNemar
def paired_difference(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = len(first)
    return (b - c) / n, math.sqrt(b + c - (b - c) ** 2 / n) / n
