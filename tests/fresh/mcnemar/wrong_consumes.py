# empties the lists that it is given
def mcnemar(first, second):
    b = c = 0
    while first:
        x, y = first.pop(), second.pop()
        b += bool(x and not y)
        c += bool(y and not x)
    n = b + c
    return b, c, min(1, 2 * sum(math.comb(n, i) for i in range(min(b, c) + 1)) / 2**n)
