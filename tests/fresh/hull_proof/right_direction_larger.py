# a direction of its own with the numbers in a named tuple
from collections import namedtuple

Alphas = namedtuple("Alphas", "animal it street")

def hull_proof(u_a, u_b, u_c, u_d, p, r):
    w = 3 * u_b - 4 * u_c - 4 * u_d - (5 + 4 * abs(p) + 4 * abs(r)) * u_a
    return Alphas(0, 0, 0), w
