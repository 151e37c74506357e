# a tiny query that is not exactly 0
def average_all(K):
    return 1e-9 * K.sum(dim=0)
