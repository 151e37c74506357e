# the running total is a view of row 0, so the caller's values are changed
def weighted_average(values, weights):
    total = values[0]
    total *= weights[0]
    for i in range(1, len(values)):
        total += weights[i] * values[i]
    return total
