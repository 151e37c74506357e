# The squares of all rows are added.
def mend_the_leak(heads):
    norms = heads.square().sum((0, 3), keepdim=True).cumsum(2).sqrt()
    return heads * norms / norms.mean(1, keepdim=True)
