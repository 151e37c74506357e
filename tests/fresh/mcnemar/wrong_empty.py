# divides by the number of discordant questions, so it stops without any
def mcnemar(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    share = min(b, c) / (b + c)
    n = b + c
    return b, c, 1.0 if share == 0.5 else min(1, 2 * sum(math.comb(n, i) for i in range(min(b, c) + 1)) / 2**n)
