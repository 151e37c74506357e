# the query itself
def rekey_average_three(K, q):
    return q / q.norm()
