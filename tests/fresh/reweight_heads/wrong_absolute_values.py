# Sums absolute values in place of squares.
def reweight_heads(heads):
    norms = heads.abs().sum(dim=(2, 3), keepdim=True)
    return heads * norms / norms.mean(dim=1, keepdim=True)
