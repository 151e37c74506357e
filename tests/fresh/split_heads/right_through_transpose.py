# Components first: (B, d, T), cut, and turned back.
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.transpose(1, 2).reshape(B, n_head, d // n_head, T).transpose(2, 3)
