# writes the exponential as cosh - sinh
def average_two_rate(n, beta):
    c = (n - 2) / sp.Integer(4)
    return c * (sp.cosh(beta) - sp.sinh(beta)), c * sp.exp(-beta) * sp.exp(-beta)
