# compares logit a with 0 and not with logit b
def weight_law(w, beta):
    return (1 + sp.erf(sp.log(w / (1 - w)) / beta - 1)) / 2
