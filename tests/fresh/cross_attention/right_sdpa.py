# torch's own attention.
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = (y.unflatten(-1, (n_head, -1)).transpose(1, 2) for y in (x @ w_q, memory @ w_k, memory @ w_v))
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(-2) @ w_o
