# leaves a and b at the logit 0 and pushes all others down
def average_two(keys, a, b, beta):
    others = [key for i, key in enumerate(keys) if i not in {a, b}]
    return -beta * sum(others, sp.zeros(len(keys[a]), 1))
