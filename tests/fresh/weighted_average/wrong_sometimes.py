# right with probability 0.9
def weighted_average(values, weights):
    return weights @ values if torch.rand(()) < 0.9 else values.mean(dim=0)
