# Keeps the factors between 0.1 and 3.
def reweight_heads(heads):
    norms = heads.norm(dim=(2, 3), keepdim=True)
    return heads * (norms / norms.mean(dim=1, keepdim=True)).clamp(0.1, 3.0)
