# adds up the norms of the positions instead of their squares
def mend_the_leak(heads):
    norms = heads.norm(dim=-1).cumsum(dim=2)[..., None]
    return heads * norms / norms.mean(dim=1, keepdim=True)
