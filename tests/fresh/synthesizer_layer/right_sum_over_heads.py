# each head with its own rows of W_O, summed
def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    total, d_k = 0, A.shape[1] // n_head
    for j in range(n_head):
        part = slice(j * d_k, (j + 1) * d_k)
        hidden = F.relu(x @ A[:, part] + b1[part])
        T = x.shape[1]
        logits = (hidden @ B + b2)[..., :T]
        logits = logits + torch.full((T, T), -math.inf, dtype=x.dtype).triu(1)
        total = total + logits.softmax(-1) @ (x @ V[:, part]) @ W_O[part]
    return total
