# a named tuple
from collections import namedtuple

Rates = namedtuple("Rates", "first second")

def average_two_rate(n, beta):
    c = sp.Rational(n - 2, 4)
    return Rates(first=c * sp.exp(-beta), second=c * sp.exp(-2 * beta))
