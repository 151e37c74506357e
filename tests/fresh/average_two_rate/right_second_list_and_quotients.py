# a list instead of a tuple, with powers of exp(beta) below the line
def average_two_rate(n, beta):
    rise = sp.exp(beta)
    constant = (sp.sympify(n) - 2) / 4
    return [constant / rise**k for k in (1, 2)]
