# numpy bools and numpy integers in the result
def mcnemar(first, second):
    first, second = np.array(first, dtype=bool), np.array(second, dtype=bool)
    b, c = np.sum(first & ~second), np.sum(~first & second)
    n = int(b + c)
    tail = sum(math.comb(n, i) for i in range(int(min(b, c)) + 1))
    return b, c, min(1.0, 2 * tail / 2**n)
