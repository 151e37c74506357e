# the sum of the two keys
def rekey_average_three(K, q):
    return K[0] + K[1]
