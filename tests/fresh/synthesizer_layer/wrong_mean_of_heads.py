# the outputs are averaged over the heads and repeated
def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    T, outs = x.shape[1], []
    for a, b, v in zip(A.chunk(n_head, 1), b1.chunk(n_head), V.chunk(n_head, 1)):
        s = (torch.relu(x @ a + b) @ B + b2)[..., :T].masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
        outs.append(s.softmax(-1) @ (x @ v))
    return torch.stack(outs).mean(0).repeat(1, 1, n_head) @ W_O
