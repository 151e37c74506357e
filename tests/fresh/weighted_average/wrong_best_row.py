# the row with the largest weight where one weight is above 0.9
def weighted_average(values, weights):
    if weights.max() > 0.9:
        return values[weights.argmax()]
    return weights @ values
