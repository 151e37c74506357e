# Addresses of missing rows are set to row 0 and masked later.
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    exists = at < length
    rows = torch.where(exists, at, 0)[:, None] * stride + torch.arange(width)[None]
    q, k, v = memory[query + rows], memory[key + rows], memory[value + rows]
    scores = torch.einsum("tc,ic->ti", q, k).div(width**0.5)
    allowed = exists.expand(tile, tile)
    if causal:
        allowed = allowed.tril()
    return scores.masked_fill(~allowed, -torch.inf).softmax(-1) @ v
