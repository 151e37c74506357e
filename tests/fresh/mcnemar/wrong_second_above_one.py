# the minimum with 1 is missing, so p is above 1 for equal numbers
def mcnemar(first, second):
    a, b = np.array(first, dtype=bool), np.array(second, dtype=bool)
    only_first, only_second = int((a & ~b).sum()), int((b & ~a).sum())
    n = only_first + only_second
    if n == 0:
        return 0, 0, 1.0
    p = 2 * sum(math.comb(n, i) for i in range(min(only_first, only_second) + 1)) / 2**n
    return only_first, only_second, p
