# expanded, and the root as a product of two roots
def scaling_variance(d, s, m):
    variance = d * s**2
    variance += d * m**2
    return variance, sp.sqrt(d) * s * sp.sqrt(1 + (m / s) ** 2)
