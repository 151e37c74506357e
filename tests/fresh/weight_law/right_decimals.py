# decimal halves and a computed deviation
def weight_law(w, beta):
    s = math.sqrt(0.5)
    bound = 1 + sp.log(w / (1 - w)) / beta
    return 0.5 * (1 + sp.erf((bound - 1) / (s * math.sqrt(2))))
