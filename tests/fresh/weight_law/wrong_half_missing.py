# forgets the 1
def weight_law(w, beta):
    return sp.erf(sp.log(w / (1 - w)) / beta) / 2
