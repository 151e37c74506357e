# the first key minus itself, with a default argument that nobody uses
def average_all(K, row=0):
    q = K[row].clone()
    q -= K[row]
    return q
