# (N, h, T, d_k) viewed as (N, T, d) without swapping back
def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    N, T, d = x.shape
    hidden = torch.relu(x @ A + b1).view(N, T, n_head, -1).transpose(1, 2)
    logits = (hidden @ B + b2)[..., :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    value = (x @ V).view(N, T, n_head, -1).transpose(1, 2)
    return (logits.softmax(-1) @ value).reshape(N, T, d) @ W_O
