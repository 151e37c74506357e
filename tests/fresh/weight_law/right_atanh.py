# the logit as an inverse hyperbolic tangent
def weight_law(w, beta):
    return (1 + sp.erf(2 * sp.atanh(2 * w - 1) / beta)) / 2
