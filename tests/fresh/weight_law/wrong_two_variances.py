# both keys vary
def weight_law(w, beta):
    return (1 + sp.erf(sp.log(w / (1 - w)) / (beta * sp.sqrt(2)))) / 2
