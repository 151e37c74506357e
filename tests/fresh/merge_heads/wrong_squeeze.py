# squeeze drops axes of length 1.
def merge_heads(x):
    B, h, T, d_k = x.shape
    return x.transpose(1, 2).reshape(B, T, h * d_k).squeeze()
