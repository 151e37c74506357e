# x itself gets another shape.
def split_heads(x, n_head):
    B, T, d = x.shape
    x.resize_(B, T, n_head, d // n_head)
    return x.transpose(1, 2)
