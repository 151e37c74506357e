# the matrices get a head axis, and einsum does everything
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    per_head_q = w_q.unflatten(1, (n_head, -1))
    per_head_k = w_k.unflatten(1, (n_head, -1))
    per_head_v = w_v.unflatten(1, (n_head, -1))
    q = torch.einsum("btd,dhc->bhtc", x, per_head_q)
    k = torch.einsum("bsd,dhc->bhsc", memory, per_head_k)
    v = torch.einsum("bsd,dhc->bhsc", memory, per_head_v)
    shares = torch.einsum("bhtc,bhsc->bhts", q, k).div(q.shape[-1] ** 0.5).softmax(-1)
    return torch.einsum("bhts,bhsc,hcd->btd", shares, v, w_o.unflatten(0, (n_head, -1)))
