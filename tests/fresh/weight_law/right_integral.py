# an integral of the density that is not carried out
def weight_law(w, beta):
    x = sp.Symbol("x", real=True)
    return sp.Integral(sp.exp(-((x - 1) ** 2)) / sp.sqrt(sp.pi), (x, -sp.oo, 1 + sp.log(w / (1 - w)) / beta))
