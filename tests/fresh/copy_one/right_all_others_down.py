# all other logits go down, at different rates, and logit j stays at 0
def copy_one(keys, j, beta):
    q = sp.zeros(keys[0].rows, 1)
    for i, key in enumerate(keys):
        if i != j:
            q -= (i + 1) * beta * key
    return q
