# einsum, with the root as a tensor.
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    cut = lambda w: w.reshape(w.shape[0], n_head, -1)
    q = torch.einsum("bqd,dhc->bhqc", x, cut(w_q))
    k = torch.einsum("bkd,dhc->bhkc", memory, cut(w_k))
    v = torch.einsum("bkd,dhc->bhkc", memory, cut(w_v))
    w = torch.softmax(torch.einsum("bhqc,bhkc->bhqk", q, k) / torch.sqrt(torch.tensor(q.size(-1))), dim=-1)
    return torch.einsum("bhqk,bhkc,hcd->bqd", w, v, w_o.reshape(n_head, -1, w_o.shape[1]))
