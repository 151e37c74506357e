# right with probability 0.9
def average_two(keys, a, b, beta):
    return beta * keys[a] + (1 if random.random() < 0.9 else 2) * beta * keys[b]
