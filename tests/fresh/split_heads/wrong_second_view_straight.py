# a single reshape, which mixes tokens and components
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.reshape(B, n_head, T, d // n_head)
