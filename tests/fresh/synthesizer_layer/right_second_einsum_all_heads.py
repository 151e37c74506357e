# all heads at once with einsum over a head axis
def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    N, T, d = x.shape
    d_k = d // n_head
    hidden = torch.einsum("ntd,dhk->nhtk", x, A.reshape(d, n_head, d_k)) + b1.reshape(n_head, 1, d_k)
    values = torch.einsum("ntd,dhk->nhtk", x, V.reshape(d, n_head, d_k))
    logits = torch.einsum("nhtk,ks->nhts", hidden.relu(), B[:, :T]) + b2[:T]
    logits = logits + torch.full((T, T), -torch.inf, dtype=x.dtype, device=x.device).triu(1)
    heads = torch.einsum("nhts,nhsk->nthk", logits.softmax(-1), values)
    return heads.flatten(2) @ W_O
