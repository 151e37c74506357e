# takes the tail of the second count, so it is 1 where the first is worse
def mcnemar(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = b + c
    return b, c, min(1, 2 * sum(math.comb(n, i) for i in range(c + 1)) / 2**n)
