# math.sqrt cannot take a symbol.
def scaling_variance(d, s, m):
    v = d * (s**2 + m**2)
    return v, math.sqrt(v)
