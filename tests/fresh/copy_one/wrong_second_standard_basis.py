# puts beta into entry j, which is right for the standard basis only
def copy_one(keys, j, beta):
    q = sp.zeros(keys[0].rows, 1)
    q[j] = beta
    return q
