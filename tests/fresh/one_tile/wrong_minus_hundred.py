# Masks with −100, which is not enough if all logits are far below.
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    s = q @ k.T / math.sqrt(width)
    s = s.masked_fill(at >= length, -100.0)
    if causal:
        s = s.masked_fill(at[None] > at[:, None], -100.0)
    return s.softmax(1) @ v
