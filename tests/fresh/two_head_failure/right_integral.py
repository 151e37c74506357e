# an integral that is not carried out
def two_head_failure():
    x = sp.Symbol("x", real=True)
    return sp.Integral(sp.exp(-((x - 1) ** 2)) / sp.sqrt(sp.pi), (x, -sp.oo, 0))
