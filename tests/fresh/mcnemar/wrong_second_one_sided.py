# forgets the factor 2: only one of the two tails
def mcnemar(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = b + c
    return b, c, sum(math.comb(n, i) for i in range(min(b, c) + 1)) / 2**n
