# The batch is flattened away.
def merge_heads(x):
    B, h, T, d_k = x.shape
    return x.permute(2, 0, 1, 3).reshape(B, T, h * d_k)
