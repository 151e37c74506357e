# The tile is always float64.
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    where = torch.arange(length)[:, None] * stride + torch.arange(width)
    q, k, v = (memory[start + where].double() for start in (query, key, value))
    out = torch.zeros(tile, width, dtype=torch.float64)
    out[:length] = F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=causal)[0]
    return out
