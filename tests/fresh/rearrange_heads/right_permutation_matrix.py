# A product with a permutation matrix.
def rearrange_heads(heads, how):
    n = heads.shape[1]
    eye = torch.eye(n, dtype=heads.dtype)
    P = eye.roll(1, 0) if how == "shift" else eye[torch.randperm(n)]
    return torch.einsum("ij,bjtd->bitd", P, heads)
