# A named tuple.
from typing import NamedTuple


class Limit(NamedTuple):
    seconds: float
    bound: str


def roofline(bytes_moved, operations, bandwidth, peak):
    memory, compute = bytes_moved / bandwidth, operations / peak
    return Limit(memory, "memory") if memory > compute else Limit(compute, "compute")
