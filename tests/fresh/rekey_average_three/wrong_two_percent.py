# a logit a little too low: 0.32
def rekey_average_three(K, q):
    return K[0] - 0.07 * q / (q @ q)
