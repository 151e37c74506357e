# Multiplies the caller's heads in place.
def reweight_heads(heads):
    norms = heads.detach().norm(dim=(2, 3), keepdim=True)
    heads *= norms / norms.mean(dim=1, keepdim=True)
    return heads
