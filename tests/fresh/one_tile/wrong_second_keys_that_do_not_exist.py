# masks the loads but not the logits of keys that do not exist
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where = at[:, None] * stride + torch.arange(width)
    inside = at[:, None] < length
    q, k, v = (load(memory, base + where, inside) for base in (query, key, value))
    logits = q @ k.T / math.sqrt(width)
    if causal:
        logits = logits.masked_fill(at[None, :] > at[:, None], -math.inf)
    return logits.softmax(dim=-1) @ v
