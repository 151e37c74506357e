# the sum of all keys less the others, with a power of beta
def average_two(keys, a, b, beta):
    logits = sp.Matrix([sp.sqrt(beta) if i in {a, b} else 0 for i in range(len(keys))])
    K = sp.Matrix([list(k) for k in keys])
    return K.T * logits
