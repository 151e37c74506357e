# a named tuple
from collections import namedtuple

Limits = namedtuple("Limits", "with_d with_c")

def add_and_see(u_a, u_b, u_c, u_d):
    return Limits(with_c=u_a + u_c, with_d=u_a + u_d)
