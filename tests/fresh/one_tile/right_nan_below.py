# Rows that are never stored hold nan.
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    place = torch.arange(length)[:, None] * stride + torch.arange(width)
    q, k, v = memory[query + place], memory[key + place], memory[value + place]
    e = q @ k.T * width**-0.5
    e = torch.exp(e - e.max(1, keepdim=True).values)
    if causal:
        logits = (q @ k.T * width**-0.5).masked_fill(torch.ones(length, length).triu(1).bool(), -math.inf)
        e = torch.exp(logits - logits.max(1, keepdim=True).values)
    result = torch.full((tile, width), math.nan, dtype=memory.dtype)
    result[:length] = e / e.sum(1, keepdim=True) @ v
    return result
