# moves the old key along q
def rekey_average_three(K, q):
    lead = K[0].dot(q) - K[2].dot(q)
    return K[2] + lead * q / q.norm() ** 2
