# exact fractions of sympy, made a float at the end
def mcnemar(first, second):
    b = c = 0
    for x, y in zip(first, second):
        b += int(x and not y)
        c += int(y and not x)
    n = b + c
    p = sp.Integer(2) * sum(sp.binomial(n, i) for i in range(min(b, c) + 1)) / sp.Integer(2) ** n
    return b, c, float(sp.Min(1, p))
