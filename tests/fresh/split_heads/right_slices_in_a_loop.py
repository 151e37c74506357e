# An empty tensor, filled head by head.
def split_heads(x, n_head):
    B, T, d = x.size()
    d_k = d // n_head
    out = x.new_empty(B, n_head, T, d_k)
    for j in range(n_head):
        out[:, j] = x[:, :, j * d_k : (j + 1) * d_k]
    return out
