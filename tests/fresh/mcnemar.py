"""Fresh answers to mcnemar."""


# a named tuple, and the tail from the upper end
right_named_tuple = """
from typing import NamedTuple


class Result(NamedTuple):
    only_first: int
    only_second: int
    p: float


def mcnemar(first, second):
    b = sum(1 for x, y in zip(first, second) if x and not y)
    c = sum(1 for x, y in zip(first, second) if y and not x)
    n = b + c
    upper = sum(math.comb(n, i) * 0.5**n for i in range(max(b, c), n + 1))
    return Result(b, c, min(1.0, 2 * upper))
"""


# numpy bools and numpy integers in the result
def right_numpy_counts(first, second):
    first, second = np.array(first, dtype=bool), np.array(second, dtype=bool)
    b, c = np.sum(first & ~second), np.sum(~first & second)
    n = int(b + c)
    tail = sum(math.comb(n, i) for i in range(int(min(b, c)) + 1))
    return b, c, min(1.0, 2 * tail / 2**n)


# Pascal's triangle by hand and a Counter of pairs; returns a list
def right_recursion(first, second):
    seen = Counter(zip(map(bool, first), map(bool, second)))
    b, c = seen[True, False], seen[False, True]
    row = [1]
    for _ in range(b + c):
        row = [x + y for x, y in zip([0, *row], [*row, 0])]
    p = sum(row[: min(b, c) + 1]) * 2 / sum(row)
    return [b, c, p if p < 1 else 1]


# exact fractions of sympy, made a float at the end
def right_sympy(first, second):
    b = c = 0
    for x, y in zip(first, second):
        b += int(x and not y)
        c += int(y and not x)
    n = b + c
    p = sp.Integer(2) * sum(sp.binomial(n, i) for i in range(min(b, c) + 1)) / sp.Integer(2) ** n
    return b, c, float(sp.Min(1, p))


# torch tensors for the counts and a zero-dimensional float64 tensor for p
def right_torch(first, second):
    f, s = torch.tensor(first, dtype=torch.bool), torch.tensor(second, dtype=torch.bool)
    b, c = int((f > s).sum()), int((f < s).sum())
    n = b + c
    p = torch.tensor([math.comb(n, i) / 2**n for i in range(min(b, c) + 1)], dtype=torch.float64).sum() * 2
    return b, c, float(p.clamp(max=1))


# counts pairs with Counter, exact rational arithmetic with sympy
def right_second_counter_and_sympy(first, second):
    pairs = Counter(zip(first, second))
    b, c = pairs[True, False], pairs[False, True]
    n = b + c
    tail = sum(sp.binomial(n, i) for i in range(min(b, c) + 1))
    p = sp.Min(1, sp.Rational(2 * tail, 2**n))
    return int(b), int(c), float(p)


# no comb: each binomial coefficient from the one before, whole numbers to the end
def right_second_running_binomial(first, second):
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


# uses the number of all questions for n
def wrong_all_questions(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = len(first)
    return b, c, min(1, 2 * sum(math.comb(n, i) for i in range(min(b, c) + 1)) / 2**n)


# takes the tail of the second count, so it is 1 where the first is worse
def wrong_assumes_first_better(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = b + c
    return b, c, min(1, 2 * sum(math.comb(n, i) for i in range(c + 1)) / 2**n)


# empties the lists that it is given
def wrong_consumes(first, second):
    b = c = 0
    while first:
        x, y = first.pop(), second.pop()
        b += bool(x and not y)
        c += bool(y and not x)
    n = b + c
    return b, c, min(1, 2 * sum(math.comb(n, i) for i in range(min(b, c) + 1)) / 2**n)


# divides by the number of discordant questions, so it stops without any
def wrong_empty(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    share = min(b, c) / (b + c)
    n = b + c
    return b, c, 1.0 if share == 0.5 else min(1, 2 * sum(math.comb(n, i) for i in range(min(b, c) + 1)) / 2**n)


# the tail in float32, which overflows for many discordant questions
def wrong_exponent_float32(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = b + c
    tail = np.float32(0)
    for i in range(min(b, c) + 1):
        tail += np.float32(math.comb(n, i))
    return b, c, float(min(np.float32(1), 2 * tail / np.float32(2.0) ** n))


# p can be above 1 if the counts are equal
def wrong_no_minimum(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = b + c
    return b, c, 2 * sum(math.comb(n, i) for i in range(min(b, c) + 1)) / 2**n


# the chi-square approximation with Edwards' correction, not the exact test
def wrong_normal(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    if b + c == 0:
        return b, c, 1.0
    z = max(0, abs(b - c) - 1) / math.sqrt(b + c)
    return b, c, math.erfc(z / math.sqrt(2))


# forgets to double the tail
def wrong_one_sided(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = b + c
    return b, c, min(1, sum(math.comb(n, i) for i in range(min(b, c) + 1)) / 2**n)


# range stops one too early
def wrong_tail_without_end(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = b + c
    return b, c, min(1, 2 * sum(math.comb(n, i) for i in range(min(b, c))) / 2**n)


# the minimum with 1 is missing, so p is above 1 for equal numbers
def wrong_second_above_one(first, second):
    a, b = np.array(first, dtype=bool), np.array(second, dtype=bool)
    only_first, only_second = int((a & ~b).sum()), int((b & ~a).sum())
    n = only_first + only_second
    if n == 0:
        return 0, 0, 1.0
    p = 2 * sum(math.comb(n, i) for i in range(min(only_first, only_second) + 1)) / 2**n
    return only_first, only_second, p


# the sum stops one short of the smaller number
def wrong_second_middle_left_out(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = b + c
    p = 2 * sum(math.comb(n, i) for i in range(min(b, c))) / 2**n
    return b, c, min(1.0, p) if n else 1.0


# forgets the factor 2: only one of the two tails
def wrong_second_one_sided(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = b + c
    return b, c, sum(math.comb(n, i) for i in range(min(b, c) + 1)) / 2**n


# for more than 100 discordant questions the normal approximation
def wrong_normal_for_many(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = b + c
    if n > 100:
        return b, c, math.erfc(max(0.0, abs(b - c) - 1) / math.sqrt(2 * n))
    return b, c, min(1.0, 2 * sum(math.comb(n, i) for i in range(min(b, c) + 1)) / 2**n)


# Pascal's triangle in 64 bits
def wrong_int64(first, second):
    first, second = np.array(first), np.array(second)
    b, c = int((first & ~second).sum()), int((second & ~first).sum())
    row = np.ones(1, dtype=np.int64)
    for _ in range(b + c):
        row = np.append(row, 0) + np.append(0, row)
    return b, c, min(1.0, 2 * float(row[: min(b, c) + 1].sum()) / 2.0 ** (b + c))


# a count of 0 is one half
def wrong_half_added(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    if b == 0 or c == 0:
        return b, c, min(1.0, 2 / 2 ** (b + c + 1))
    return b, c, min(1.0, 2 * sum(math.comb(b + c, i) for i in range(min(b, c) + 1)) / 2 ** (b + c))


# Half of the tail when b = c instead of 1.
def wrong_capped_half(first, second):
    b = sum(1 for f, s in zip(first, second) if f and not s)
    c = sum(1 for f, s in zip(first, second) if s and not f)
    n = b + c
    return b, c, 0.5 if b == c else min(1, 2 * sum(math.comb(n, i) for i in range(min(b, c) + 1)) / 2**n)


# never more than 990 discordant questions
def wrong_fourth_at_most_990(first, second):
    b = sum(x and not y for x, y in zip(first, second)); c = sum(y and not x for x, y in zip(first, second))
    n = min(b + c, 990)
    return b, c, min(1.0, 2 * sum(math.comb(n, i) for i in range(min(b, c) + 1)) / 2 ** n)


# p is never below 1e-6
def wrong_fourth_at_least_a_millionth(first, second):
    b = sum(x and not y for x, y in zip(first, second)); c = sum(y and not x for x, y in zip(first, second))
    n = b + c
    return b, c, max(1e-6, min(1.0, 2 * sum(math.comb(n, i) for i in range(min(b, c) + 1)) / 2 ** n))
