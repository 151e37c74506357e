# Heads moved to the end for broadcasting, and back.
def reweight_heads(heads):
    x = heads.permute(2, 3, 0, 1)
    norms = torch.linalg.vector_norm(x, dim=(0, 1))
    return (x * norms / norms.mean(-1, keepdim=True)).permute(2, 3, 0, 1)
