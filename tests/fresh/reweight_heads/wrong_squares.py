# The root is missing.
def reweight_heads(heads):
    norms = heads.square().sum((2, 3), keepdim=True)
    return heads * norms / norms.mean(dim=1, keepdim=True)
