# numpy moves and merges the axes.
def merge_heads(x):
    import numpy as np

    B, h, T, d_k = x.shape
    return torch.as_tensor(np.moveaxis(x.numpy(), 1, 2).reshape(B, T, h * d_k))
