# a multiple of the query with the right dot product
def rekey_average_three(K, q):
    return q * (K[0] @ q) / (q @ q)
