# the mean norm is taken over the heads of all rows
def reweight_heads(heads):
    norms = heads.flatten(2).norm(dim=2)[..., None, None]
    return heads * norms / norms.mean()
