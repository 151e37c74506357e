# In numpy, so no gradient flows.
def rotary_attention(q, k, v):
    Q, K, V = (each.detach().numpy() for each in (q, k, v))
    T, d = Q.shape[-2:]
    phi = np.arange(T)[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)

    def turn(x):
        a, b = x[..., 0::2], x[..., 1::2]
        return np.stack([a * np.cos(phi) - b * np.sin(phi), a * np.sin(phi) + b * np.cos(phi)], axis=-1).reshape(x.shape)

    s = turn(Q) @ turn(K).swapaxes(-1, -2) / np.sqrt(d)
    s = np.where(np.tri(T, dtype=bool), s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return torch.from_numpy(e / e.sum(-1, keepdims=True) @ V).to(q.dtype)
