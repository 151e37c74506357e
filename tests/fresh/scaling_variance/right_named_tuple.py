# A named tuple.
from collections import namedtuple

Scaling = namedtuple("Scaling", "variance divisor")


def scaling_variance(d, s, m):
    return Scaling(divisor=sp.sqrt(d) * sp.sqrt(s * s + m * m), variance=d * s * s + d * m * m)
