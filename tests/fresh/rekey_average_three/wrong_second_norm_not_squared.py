# divides by the length of q instead of its square
def rekey_average_three(K, q):
    return q * (K[0] @ q) / q.norm()
