# head j takes every n_head-th column in place of a block
def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    T = x.shape[1]
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    heads = []
    for j in range(n_head):
        logits = torch.relu(x @ A[:, j::n_head] + b1[j::n_head]) @ B[:, :T] + b2[:T]
        heads.append(logits.masked_fill(later, -math.inf).softmax(-1) @ (x @ V[:, j::n_head]))
    return torch.cat(heads, dim=-1) @ W_O
