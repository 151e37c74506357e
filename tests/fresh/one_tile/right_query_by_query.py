# One query after the other, with an online loop over the keys.
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    row = lambda start, t: memory[start + t * stride + torch.arange(width)]
    out = torch.zeros(tile, width, dtype=memory.dtype)
    for t in range(length):
        last = t + 1 if causal else length
        s = torch.stack([row(query, t) @ row(key, i) for i in range(last)]) / math.sqrt(width)
        p = torch.exp(s - torch.logsumexp(s, 0))
        out[t] = sum(p[i] * row(value, i) for i in range(last))
    return out
