# takes the variance 1/2 for the standard deviation
def weight_law(w, beta):
    bound = 1 + sp.log(w / (1 - w)) / beta
    return (1 + sp.erf((bound - 1) / (sp.Rational(1, 2) * sp.sqrt(2)))) / 2
