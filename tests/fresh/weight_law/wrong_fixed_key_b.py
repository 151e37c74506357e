# forgets to subtract the mean of epsilon
def weight_law(w, beta):
    return (1 + sp.erf(1 + sp.log(w / (1 - w)) / beta)) / 2
