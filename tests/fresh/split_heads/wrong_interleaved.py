# Head j gets every n_head-th component.
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.reshape(B, T, d // n_head, n_head).permute(0, 3, 1, 2)
