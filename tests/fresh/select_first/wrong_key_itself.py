# the key itself, long
def select_first(K):
    return 100 * K[0]
