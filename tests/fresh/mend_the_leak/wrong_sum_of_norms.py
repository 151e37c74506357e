# Adds norms in place of squares.
def mend_the_leak(heads):
    norms = heads.norm(dim=-1, keepdim=True).cumsum(2)
    return heads * norms / norms.mean(1, keepdim=True)
