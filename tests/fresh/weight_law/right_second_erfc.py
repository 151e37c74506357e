# with erfc and the logarithm turned round
def weight_law(w, beta):
    return sp.erfc(sp.log(1 / w - 1) / beta) / 2
