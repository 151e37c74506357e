# takes 1/2 for the standard deviation
def weight_law(w, beta):
    return (1 + sp.erf(sp.log(w / (1 - w)) / (beta * sp.sqrt(2) / 2))) / 2
