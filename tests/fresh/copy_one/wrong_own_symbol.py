# makes a symbol of its own, without assumptions
def copy_one(keys, j, beta):
    b = sp.Symbol("beta")
    return b * keys[j]
