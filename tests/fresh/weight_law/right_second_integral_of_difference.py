# an integral over the difference of the logits, which has the variance beta^2 / 2
def weight_law(w, beta):
    D = sp.Symbol("D", real=True)
    density = sp.exp(-(D**2) / beta**2) / (beta * sp.sqrt(sp.pi))
    return sp.Integral(density, (D, -sp.oo, sp.log(w) - sp.log(1 - w)))
