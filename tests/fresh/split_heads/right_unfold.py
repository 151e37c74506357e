# unfold cuts windows that do not overlap.
def split_heads(x, n_head):
    d_k = x.shape[-1] // n_head
    return x.unfold(-1, d_k, d_k).permute(0, 2, 1, 3)
