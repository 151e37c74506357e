# view after another view fails for some inputs only, and the axes are wrong.
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.transpose(1, 2).view(B, n_head, T, d // n_head)
