# named tuples and floats
from typing import NamedTuple


class Cost(NamedTuple):
    multiplications: float
    weights: float


def cost(T, d_k, r, k):
    def pair(columns, extra=0.0):
        return Cost(2.0 * T * columns * d_k + extra, float(T * columns))

    return {"attention": pair(T), "synthesizer": pair(T), "linformer": pair(r, 2 * r * T * d_k), "bigbird": pair(k)}
