# erfc of the negative argument
def weight_law(w, beta):
    return sp.erfc(-(sp.log(w) - sp.log(1 - w)) / beta) / 2
