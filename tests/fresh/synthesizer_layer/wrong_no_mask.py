# without the causal mask
def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    T, outs = x.shape[1], []
    for a, b, v in zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1)):
        s = (torch.relu(x @ a + b) @ B + b2)[..., :T]
        outs.append(s.softmax(-1) @ (x @ v))
    return torch.cat(outs, -1) @ W_O
