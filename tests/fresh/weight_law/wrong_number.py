# a number for the example
def weight_law(w, beta):
    return 0.781
