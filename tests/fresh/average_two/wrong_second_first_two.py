# always takes keys 0 and 1, whatever a and b are
def average_two(keys, a, b, beta):
    return beta * (keys[0] + keys[1])
