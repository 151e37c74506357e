# writes each head into its run of a new tensor
def merge_heads(x):
    B, h, T, d_k = x.shape
    out = x.new_zeros(B, T, h * d_k)
    for j in range(h):
        out[:, :, j * d_k : (j + 1) * d_k] = x[:, j]
    return out
