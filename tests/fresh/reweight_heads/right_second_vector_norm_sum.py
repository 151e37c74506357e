# the number of heads times the share of each norm in their sum
def reweight_heads(heads):
    """Multiplies by n_head * norm / (sum of norms), which is norm / mean norm."""
    n_head = heads.size(1)
    norms = torch.linalg.vector_norm(heads, dim=(-2, -1), keepdim=True)
    share = norms / norms.sum(dim=1, keepdim=True)
    return heads.mul(share).mul(n_head)
