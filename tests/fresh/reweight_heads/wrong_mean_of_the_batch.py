# One mean norm for the whole batch.
def reweight_heads(heads):
    norms = heads.norm(dim=(2, 3), keepdim=True)
    return heads * norms / norms.mean()
