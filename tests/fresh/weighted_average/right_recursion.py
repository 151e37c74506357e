# a running mixture of the first row with the average of the others, recursively
def weighted_average(values, weights):
    if len(weights) == 1:
        return weights[0] * values[0]
    return weights[0] * values[0] + weighted_average(values[1:], weights[1:])
