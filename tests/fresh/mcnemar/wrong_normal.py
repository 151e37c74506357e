# the chi-square approximation with Edwards' correction, not the exact test
def mcnemar(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    if b + c == 0:
        return b, c, 1.0
    z = max(0, abs(b - c) - 1) / math.sqrt(b + c)
    return b, c, math.erfc(z / math.sqrt(2))
