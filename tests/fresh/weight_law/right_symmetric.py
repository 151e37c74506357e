# 1 minus the same formula for 1 - w
def weight_law(w, beta):
    return 1 - (1 + sp.erf(sp.log((1 - w) / w) / beta)) / 2
