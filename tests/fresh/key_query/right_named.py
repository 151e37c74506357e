# a named tuple with decimals
from collections import namedtuple

Pair = namedtuple("Pair", "W_Q W_K")

def key_query(u_a, u_b, u_c, u_d, beta):
    q = 0.5 * (u_c * u_d.T + u_d * u_a.T)
    k = 0.5 * (u_c * u_c.T + u_d * u_d.T)
    return Pair(q, k)
