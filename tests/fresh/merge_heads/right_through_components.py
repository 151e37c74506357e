# Components before tokens, and a result that is not contiguous.
def merge_heads(x):
    B, h, T, d_k = x.shape
    return x.transpose(2, 3).reshape(B, h * d_k, T).transpose(1, 2)
