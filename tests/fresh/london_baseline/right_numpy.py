# a numpy float
import numpy as np


def london_baseline(pairs):
    return np.mean(np.array(pairs)[:, 1] == "London")
