# Multiplies the caller's heads in place.
def mend_the_leak(heads):
    norms = heads.detach().square().sum(-1, keepdim=True).cumsum(2).sqrt()
    heads.mul_(norms / norms.mean(1, keepdim=True))
    return heads
