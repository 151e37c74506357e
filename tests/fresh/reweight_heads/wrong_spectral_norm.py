# The largest singular value in place of the Frobenius norm.
def reweight_heads(heads):
    norms = torch.linalg.matrix_norm(heads, ord=2, keepdim=True)
    return heads * norms / norms.mean(dim=1, keepdim=True)
