# A single view.
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, n_head, T, d // n_head)
