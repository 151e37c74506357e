# another result at every fifth call
calls = []

def average_two(keys, a, b, beta):
    calls.append(1)
    return beta * (keys[a] + (2 if len(calls) % 5 == 0 else 1) * keys[b])
