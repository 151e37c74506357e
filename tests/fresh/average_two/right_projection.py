# least squares with exact rational arithmetic
def average_two(keys, a, b, beta):
    K = sp.Matrix.vstack(*[k.T for k in keys])
    wanted = sp.Matrix([2 * beta if i in (a, b) else beta for i in range(len(keys))])
    return K.T * (K * K.T).inv() * wanted
