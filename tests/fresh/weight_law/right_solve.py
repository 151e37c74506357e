# lets sympy solve for the bound
def weight_law(w, beta):
    e = sp.Symbol("e", positive=True)
    ratio = sp.solve(sp.Eq(e / (1 + e), w), e)[0]
    return (1 + sp.erf(sp.log(ratio) / beta)) / 2
