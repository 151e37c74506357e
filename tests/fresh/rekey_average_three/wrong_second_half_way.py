# half way from the old key 2 to key 0
def rekey_average_three(K, q):
    return (K[2] + K[0]) / 2
