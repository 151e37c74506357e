# pushes all other keys down and leaves a and b at 0
def average_two(keys, a, b, beta):
    q = sp.zeros(len(keys[0]), 1)
    for i, k in enumerate(keys):
        if i not in (a, b):
            q = q - beta * k
    if len(keys) == 2:
        q = beta * (keys[0] + keys[1])
    return q
