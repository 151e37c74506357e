# The sizes of the first call are kept.
sizes = []


def merge_heads(x):
    if not sizes:
        sizes.extend(x.shape)
    B, h, T, d_k = sizes
    return x.transpose(1, 2).reshape(B, -1, h * d_k)
