# unflatten and swapaxes.
def split_heads(x, n_head):
    return x.unflatten(-1, (n_head, -1)).swapaxes(1, 2)
