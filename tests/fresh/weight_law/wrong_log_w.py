# forgets 1 - w
def weight_law(w, beta):
    return (1 + sp.erf(sp.log(w) / beta)) / 2
