# thirty digits of a sympy number
def two_head_failure():
    return ((1 - sp.erf(1)) / 2).evalf(30)
