# the keys themselves, a hundred times as long
def identity_map(K):
    return 100 * K
