# splits by view(N, h, T, d_k), which mixes positions
def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    N, T, d = x.shape
    hidden = torch.relu(x @ A + b1).view(N, n_head, T, -1)
    logits = (hidden @ B + b2)[..., :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    value = (x @ V).view(N, n_head, T, -1)
    return (logits.softmax(-1) @ value).transpose(1, 2).reshape(N, T, d) @ W_O
