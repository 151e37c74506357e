# Guards the division with 1e-12.
def reweight_heads(heads):
    norms = torch.norm(heads, p="fro", dim=(2, 3), keepdim=True)
    return heads * norms / (norms.mean(dim=1, keepdim=True) + 1e-12)
