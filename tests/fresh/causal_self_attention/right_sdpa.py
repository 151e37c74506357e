# torch's own attention.
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    q, k, v = (split_heads(x @ w, n_head) for w in (w_q, w_k, w_v))
    return merge_heads(F.scaled_dot_product_attention(q, k, v, is_causal=True)) @ w_o
