# a view of the keys themselves
def rekey_average_three(K, q):
    return K[0]
