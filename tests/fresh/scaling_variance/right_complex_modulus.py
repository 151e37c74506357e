# The modulus of a complex number.
def scaling_variance(d, s, m):
    size = sp.Abs(s + sp.I * m)
    return sp.expand(d * size**2), size * sp.sqrt(d)
