# the loop stops one row too early
def weighted_average(values, weights):
    result = torch.zeros_like(values[0])
    for i in range(len(weights) - 1):
        result = result + weights[i] * values[i]
    return result
