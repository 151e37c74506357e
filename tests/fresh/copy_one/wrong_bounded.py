# the lead grows, but only towards 1000
def copy_one(keys, j, beta):
    return 1000 * beta / (beta + 1) * keys[j]
