# view on heads that come from a transpose.
def mend_the_leak(heads):
    B, h, T, d = heads.shape
    norms = heads.view(B * h, T, d).square().sum(-1).cumsum(1).sqrt().view(B, h, T, 1)
    return heads * norms / norms.mean(1, keepdim=True)
