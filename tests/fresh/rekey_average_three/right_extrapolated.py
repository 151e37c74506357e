# a point far out on the line through both keys
def rekey_average_three(K, q):
    return 5 * K[0] - 4 * K[1]
