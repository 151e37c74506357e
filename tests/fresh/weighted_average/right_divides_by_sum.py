# divides by the sum of the weights, which is 1
def weighted_average(values, weights):
    return torch.einsum("n,nd->d", weights, values) / weights.sum()
