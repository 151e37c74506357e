# loads tiles, then walks over the keys with a running maximum and running sums
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    offsets, inside = torch.outer(at, torch.tensor(stride)[None])[:, :1] + torch.arange(width), (at < length).view(-1, 1)
    q, k, v = (load(memory, base + offsets, inside, 0.0) for base in (query, key, value))
    m = torch.full((tile, 1), -math.inf, dtype=memory.dtype)
    ell, a = torch.zeros_like(m), torch.zeros_like(q)
    for i in range(length):
        s = (q * k[i]).sum(dim=1, keepdim=True) / math.sqrt(width)
        if causal:
            s = torch.where(at[:, None] >= i, s, -math.inf)
        new = torch.maximum(m, s)
        f, p = torch.exp(m - new), torch.exp(s - new)
        m, ell, a = new, f * ell + p, f * a + p * v[i]
    return a / ell
