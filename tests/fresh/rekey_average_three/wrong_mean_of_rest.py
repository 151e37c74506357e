# the mean of the other three keys
def rekey_average_three(K, q):
    return (K[0] + K[1] + K[3]) / 3
