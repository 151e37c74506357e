# forgets that key b has the logit beta, so the bound is without the 1
def weight_law(w, beta):
    bound = sp.log(w / (1 - w)) / beta
    return (1 + sp.erf(bound - 1)) / 2
