# At most 16 rows.
TRIANGLE = torch.ones(16, 16, dtype=torch.bool).triu(1)


def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    s = (q @ k.T / math.sqrt(width)).masked_fill(at >= length, -math.inf)
    if causal:
        s = s.masked_fill(TRIANGLE[:tile, :tile], -math.inf)
    return s.softmax(1) @ v
