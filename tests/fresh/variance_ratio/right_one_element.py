# a tensor with one element
def variance_ratio(one, two, epsilon):
    k = epsilon.gt(0)
    return one[k].var(0, unbiased=False).sum(0, keepdim=True) / two[k].var(0, unbiased=False).sum(0, keepdim=True)
