# head by head with slices of the matrices; the outputs of the heads are added up
def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    B, T, d = x.shape
    d_k = d // n_head
    positions = torch.arange(T, device=x.device)
    later = positions[None, :] > positions[:, None]
    total = None
    for j in range(n_head):
        part = slice(j * d_k, (j + 1) * d_k)
        q, k, v = x @ w_q[:, part], x @ w_k[:, part], x @ w_v[:, part]
        scores = torch.einsum("btc,bic->bti", q, k) / math.sqrt(d_k)
        weights = torch.softmax(scores.masked_fill(later, float("-inf")), dim=-1)
        out = weights @ v @ w_o[part]
        total = out if total is None else total + out
    return total
