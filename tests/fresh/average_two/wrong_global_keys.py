# draws keys of its own and forgets the argument
def average_two(keys, a, b, beta):
    own = [sp.eye(len(keys[0]))[:, i] for i in range(len(keys))]
    return beta * (own[a] + own[b])
