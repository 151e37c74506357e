# adds up all keys, so all values are averaged
def average_two(keys, a, b, beta):
    q = sp.zeros(keys[0].rows, 1)
    for key in keys:
        q += beta * key
    return q
