# Sums of squares by einsum.
def reweight_heads(heads):
    norm = torch.einsum("bhtd,bhtd->bh", heads, heads) ** 0.5
    share = norm / norm.sum(dim=1, keepdim=True) * heads.size(1)
    return torch.einsum("bh,bhtd->bhtd", share, heads)
