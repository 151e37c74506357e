# the sum of the two keys
def average_first_two(K):
    return 30 * (K[0] + K[1])
