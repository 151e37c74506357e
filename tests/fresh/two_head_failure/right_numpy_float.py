# a numpy scalar
def two_head_failure():
    return np.float64(0.5) * (1 + np.float64(math.erf(-1)))
