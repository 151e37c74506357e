# the tail in float32, which overflows for many discordant questions
def mcnemar(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = b + c
    tail = np.float32(0)
    for i in range(min(b, c) + 1):
        tail += np.float32(math.comb(n, i))
    return b, c, float(min(np.float32(1), 2 * tail / np.float32(2.0) ** n))
