# Divides by torch.sqrt(torch.tensor(width)), and masks after the exponential.
def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where = at.unsqueeze(1) * stride + torch.arange(width)
    inside = (at < length).unsqueeze(1).expand(tile, width)
    q, k, v = [load(memory, start + where, inside) for start in (query, key, value)]
    s = q.matmul(k.t()) / torch.sqrt(torch.tensor(width))
    keep = inside[:, 0][None, :] & ((at[None, :] <= at[:, None]) if causal else torch.tensor(True))
    s = torch.where(keep, s, torch.tensor(-1e30, dtype=s.dtype))
    return torch.nn.functional.softmax(s, dim=-1).mm(v)
