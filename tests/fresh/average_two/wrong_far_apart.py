# right only for indices that are at most two apart
def average_two(keys, a, b, beta):
    low, high = min(a, b), max(a, b)
    if high - low > 1:
        high = low + 1 if (high - low) > 2 else high
    return beta * (keys[low] + keys[high])
