# no comb: each binomial coefficient from the one before, whole numbers to the end
def mcnemar(first, second):
    only_first = only_second = 0
    for mine, other in zip(first, second):
        if mine and not other:
            only_first += 1
        elif other and not mine:
            only_second += 1
    n, k = only_first + only_second, min(only_first, only_second)
    if only_first == only_second:  # both tails contain the middle, or nothing is discordant
        return only_first, only_second, 1.0
    term, total = 1, 1
    for i in range(1, k + 1):
        term = term * (n - i + 1) // i
        total += term
    return only_first, only_second, 2 * total / (1 << n)
