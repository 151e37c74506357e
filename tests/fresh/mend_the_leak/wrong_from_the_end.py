# Sums from t to the end.
def mend_the_leak(heads):
    norms = heads.square().sum(-1, keepdim=True).flip(2).cumsum(2).flip(2).sqrt()
    return heads * norms / norms.mean(1, keepdim=True)
