# subtracts the first three keys only from a sum of all, so a fourth keeps up
def copy_one(keys, j, beta):
    q = beta * sum(keys, sp.zeros(len(keys[0]), 1))
    for i in range(min(3, len(keys))):
        if i != j:
            q -= beta * keys[i]
    return q
