# the scale tends to 30, so the weight stays just below 1
def copy_one(keys, j, beta):
    return 30 * beta / (1 + beta) * keys[j]
