# divided by the square root of d_k as in attention
def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    T, outs = x.shape[1], []
    for a, b, v in zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1)):
        s = (torch.relu(x @ a + b) @ B + b2)[..., :T] / B.shape[0] ** 0.5
        outs.append(s.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf).softmax(-1) @ (x @ v))
    return torch.cat(outs, -1) @ W_O
