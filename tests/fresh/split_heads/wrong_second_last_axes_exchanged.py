# tokens and components exchanged: the shape is right only if T equals d_k
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).permute(0, 2, 3, 1)
