# einsum throughout, with the root as a tensor.
def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    d = x.shape[-1]
    q, k, v = (torch.einsum("btd,dhc->bthc", x, w.view(d, n_head, d // n_head)) for w in (w_q, w_k, w_v))
    scores = torch.einsum("bqhc,bkhc->bhqk", q, k) / torch.sqrt(torch.tensor(d / n_head))
    T = x.shape[1]
    future = torch.ones(T, T, device=x.device).triu(1) == 1
    weights = scores.masked_fill(future, float("-inf")).softmax(dim=3)
    return torch.einsum("bhqk,bkhc->bqhc", weights, v).flatten(2) @ w_o
