# changes the first entry only, and divides by the wrong entry of q
def rekey_average_three(K, q):
    key = K[2].clone()
    key[0] += (K[0] @ q - K[2] @ q) / q[1]
    return key
