# divides by the root of d_v
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q = (x @ w_q).unflatten(-1, (n_head, -1)).transpose(1, 2)
    k, v = ((memory @ w).unflatten(-1, (n_head, -1)).transpose(1, 2) for w in (w_k, w_v))
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(v.shape[-1]), dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o
