# the probability of a weight above w
def weight_law(w, beta):
    return (1 - sp.erf(sp.log(w / (1 - w)) / beta)) / 2
