# one half plus an integral from the mean on
def weight_law(w, beta):
    t = sp.symbols("t")
    return sp.Rational(1, 2) + sp.Integral(sp.exp(-t**2), (t, 0, sp.log(w / (1 - w)) / beta)) / sp.sqrt(sp.pi)
