# Divides by 3, whatever the number of heads.
def reweight_heads(heads):
    norms = heads.norm(dim=(2, 3), keepdim=True)
    return heads * norms / (norms.sum(dim=1, keepdim=True) / min(3, heads.shape[1]))
