# Addresses from numpy; the arithmetic in float64 and back to the dtype of the memory.
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    where = np.arange(length)[:, None] * stride + np.arange(width)
    q, k, v = (memory.numpy()[start + where].astype(np.float64) for start in (query, key, value))
    s = q @ k.T / np.sqrt(width)
    if causal:
        s[np.triu_indices(length, 1)] = -np.inf
    p = np.exp(s - s.max(axis=1, keepdims=True))
    out = np.zeros((tile, width))
    out[:length] = p / p.sum(axis=1, keepdims=True) @ v
    return torch.tensor(out, dtype=memory.dtype)
