# takes a softmax of the weights first
def weighted_average(values, weights):
    return torch.softmax(weights, dim=0) @ values
