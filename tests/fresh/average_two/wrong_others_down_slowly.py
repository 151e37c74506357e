# the others follow at a constant distance of 30
def average_two(keys, a, b, beta):
    q = 30 * (keys[a] + keys[b])
    return q + beta * sum(keys, sp.zeros(len(keys[0]), 1))
