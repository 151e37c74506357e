# The axes are not exchanged.
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head)
