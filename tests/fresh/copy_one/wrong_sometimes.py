# right with probability 0.9
def copy_one(keys, j, beta):
    return (1 if random.random() < 0.9 else -1) * beta * keys[j]
