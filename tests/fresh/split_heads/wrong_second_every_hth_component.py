# head j gets every h-th component instead of neighbours
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.reshape(B, T, d // n_head, n_head).permute(0, 3, 1, 2)
