# the sum stops one short of the smaller number
def mcnemar(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = b + c
    p = 2 * sum(math.comb(n, i) for i in range(min(b, c))) / 2**n
    return b, c, min(1.0, p) if n else 1.0
