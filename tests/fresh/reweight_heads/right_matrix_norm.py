# torch.linalg.matrix_norm is the Frobenius norm by default.
def reweight_heads(heads):
    norms = torch.linalg.matrix_norm(heads, keepdim=True)
    return heads * (norms / norms.mean(1, keepdim=True))
