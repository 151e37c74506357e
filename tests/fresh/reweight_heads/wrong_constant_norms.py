# The norms are detached.
def reweight_heads(heads):
    norms = heads.detach().square().sum((2, 3), keepdim=True).sqrt()
    return heads * norms / norms.mean(dim=1, keepdim=True)
