# Exponentials by hand, with a safe sum.
def masked_attention(q, k, v, real, causal):
    T = q.size(-2)
    s = q @ k.mT / math.sqrt(q.size(-1))
    ok = real.view(-1, 1, 1, T).expand(s.shape)
    if causal:
        ok = ok.logical_and(torch.arange(T).unsqueeze(1) >= torch.arange(T))
    top = torch.where(ok, s, torch.finfo(s.dtype).min).amax(dim=-1, keepdim=True)
    e = torch.exp(torch.where(ok, s - top, -math.inf))
    total = e.sum(-1, keepdim=True)
    return e @ v / torch.where(total == 0, torch.ones_like(total), total)
