# multiplies by the transpose of W_O, as a Linear layer would
def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    T, d_k = x.shape[1], x.shape[2] // n_head
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    heads = []
    for j in range(n_head):
        own = slice(j * d_k, (j + 1) * d_k)
        logits = torch.relu(x @ A[:, own] + b1[own]) @ B[:, :T] + b2[:T]
        heads.append(logits.masked_fill(later, -math.inf).softmax(-1) @ (x @ V[:, own]))
    return F.linear(torch.cat(heads, dim=-1), W_O)
