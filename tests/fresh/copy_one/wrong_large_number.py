# a large number in place of beta
def copy_one(keys, j, beta):
    return 10**9 * keys[j]
