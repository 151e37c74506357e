# a norm for each position, over the components only
def reweight_heads(heads):
    norms = heads.norm(dim=-1, keepdim=True)
    return heads * norms / norms.mean(dim=1, keepdim=True)
