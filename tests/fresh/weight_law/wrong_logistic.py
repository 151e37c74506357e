# the logistic function in place of erf
def weight_law(w, beta):
    return 1 / (1 + sp.exp(-sp.log(w / (1 - w)) * 2 / (sp.sqrt(sp.pi) * beta)))
