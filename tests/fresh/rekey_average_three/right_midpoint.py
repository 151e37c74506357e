# the mean of the first two keys
def rekey_average_three(K, q):
    return K[:2].mean(dim=0)
