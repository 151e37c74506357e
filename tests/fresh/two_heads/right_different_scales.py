# different growth in the two heads, as a named tuple
from collections import namedtuple

Heads = namedtuple("Heads", "q0 q1")

def two_heads(mu_a, mu_b, beta):
    return Heads(beta**2 * mu_a, sp.log(beta + 2) * mu_b)
