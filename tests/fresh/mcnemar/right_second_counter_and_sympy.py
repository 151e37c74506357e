# counts pairs with Counter, exact rational arithmetic with sympy
def mcnemar(first, second):
    pairs = Counter(zip(first, second))
    b, c = pairs[True, False], pairs[False, True]
    n = b + c
    tail = sum(sp.binomial(n, i) for i in range(min(b, c) + 1))
    p = sp.Min(1, sp.Rational(2 * tail, 2**n))
    return int(b), int(c), float(p)
