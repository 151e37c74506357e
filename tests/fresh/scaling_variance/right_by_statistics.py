# The second moment of a normal variable from sympy.stats.
def scaling_variance(d, s, m):
    from sympy.stats import E, Normal

    query, key = Normal("query", 0, 1), Normal("key", m, s)
    variance = d * sp.simplify(E(query**2) * E(key**2))
    return variance, sp.sqrt(variance)
