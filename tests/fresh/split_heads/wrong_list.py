# A list of heads.
def split_heads(x, n_head):
    return [part for part in x.chunk(n_head, dim=-1)]
