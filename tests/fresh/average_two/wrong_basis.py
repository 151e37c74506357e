# puts beta at places a and b, which is right for the standard basis only
def average_two(keys, a, b, beta):
    q = sp.zeros(len(keys[0]), 1)
    q[a] = q[b] = beta
    return q
