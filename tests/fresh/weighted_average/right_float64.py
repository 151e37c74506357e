# computes and returns float64
def weighted_average(values, weights):
    return (values.double() * weights.double().unsqueeze(1)).sum(0)
