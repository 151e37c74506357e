# writes the new key into K and returns it
def rekey_average_three(K, q):
    K[2] = K[1]
    return K[2]
