# Divides by the root of the tile.
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    s = q @ k.T / math.sqrt(tile)
    s = s.masked_fill(at >= length, -math.inf)
    if causal:
        s = s.masked_fill(at[None] > at[:, None], -math.inf)
    return s.softmax(1) @ v
