# Guards the division with 1e-3.
def reweight_heads(heads):
    norms = heads.norm(dim=(2, 3), keepdim=True)
    return heads * norms / (norms.mean(dim=1, keepdim=True) + 1e-3)
