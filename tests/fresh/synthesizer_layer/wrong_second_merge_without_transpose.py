# flattens (N, n_head, T, d_k) directly to (N, T, d), so heads and positions are mixed
def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    N, T, d = x.shape
    d_k = d // n_head
    hidden = torch.relu(x @ A + b1).view(N, T, n_head, d_k).transpose(1, 2)
    values = (x @ V).view(N, T, n_head, d_k).transpose(1, 2)
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    weights = (hidden @ B[:, :T] + b2[:T]).masked_fill(later, -math.inf).softmax(-1)
    return (weights @ values).reshape(N, T, d) @ W_O
