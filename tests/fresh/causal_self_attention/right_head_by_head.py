# One head at a time, and a sum over slices of w_o.
def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    d_k = x.shape[-1] // n_head
    out = 0
    for j in range(n_head):
        own = slice(j * d_k, (j + 1) * d_k)
        q, k, v = x @ w_q[:, own], x @ w_k[:, own], x @ w_v[:, own]
        s = q @ k.mT / math.sqrt(d_k)
        s = s + torch.full_like(s[0], -math.inf).triu(1)
        out = out + s.softmax(-1) @ v @ w_o[own]
    return out
