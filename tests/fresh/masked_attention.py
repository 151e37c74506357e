"""Fresh answers to masked_attention, part 1 of 2."""


# Exponentials by hand, with a safe sum.
def right_exponentials(q, k, v, real, causal):
    T = q.size(-2)
    s = q @ k.mT / math.sqrt(q.size(-1))
    ok = real.view(-1, 1, 1, T).expand(s.shape)
    if causal:
        ok = ok.logical_and(torch.arange(T).unsqueeze(1) >= torch.arange(T))
    top = torch.where(ok, s, torch.finfo(s.dtype).min).amax(dim=-1, keepdim=True)
    e = torch.exp(torch.where(ok, s - top, -math.inf))
    total = e.sum(-1, keepdim=True)
    return e @ v / torch.where(total == 0, torch.ones_like(total), total)


# An extra key with value 0 that only lonely queries see.
right_extra_key = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    B, h, T, _ = q.shape
    allowed = real[:, None, None, :].repeat(1, h, T, 1)
    if causal:
        allowed &= causal_mask(T)
    lonely = ~allowed.any(dim=-1, keepdim=True)
    scores = torch.cat((attention_scores(q, k), torch.zeros(B, h, T, 1).to(q)), dim=-1)
    scores = scores.masked_fill(~torch.cat((allowed, lonely), dim=-1), float("-inf"))
    return torch.softmax(scores, dim=-1) @ torch.cat((v, torch.zeros_like(v[:, :, :1])), dim=2)
"""


# The smallest finite number, and the weights times the mask.
right_finite_then_zero = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    scores = attention_scores(q, k)
    allowed = real[:, None, None]
    if causal:
        allowed = allowed & causal_mask(q.shape[-2])
    scores = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    return (scores.softmax(-1) * allowed) @ v
"""


# A loop over rows and queries.
def right_loops(q, k, v, real, causal):
    out = torch.zeros_like(q)
    for b in range(q.shape[0]):
        for t in range(q.shape[2]):
            keys = [i for i in range(q.shape[2]) if real[b, i] and (i <= t or not causal)]
            if keys:
                scores = k[b][:, keys] @ q[b, :, t, :, None] / q.shape[-1] ** 0.5
                out[b, :, t] = (torch.softmax(scores, dim=1) * v[b][:, keys]).sum(dim=1)
    return out


# torch's own attention with a mask, then nan to 0.
def right_sdpa(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & torch.ones(q.shape[2], q.shape[2], dtype=torch.bool).tril()
    return torch.nan_to_num(F.scaled_dot_product_attention(q, k, v, attn_mask=allowed))


# row by row and query by query, with only the allowed keys picked out
def right_second_loop_selects_keys(q, k, v, real, causal):
    B, h, T, d_k = q.shape
    batch = []
    for b in range(B):
        outputs = []
        for t in range(T):
            keys = [i for i in range(T) if bool(real[b, i]) and (i <= t or not causal)]
            if not keys:
                outputs.append(0 * (q[b, :, t] + k[b, :, t] + v[b, :, t]))
                continue
            scores = torch.einsum("hd,hid->hi", q[b, :, t], k[b][:, keys]) / d_k**0.5
            outputs.append(torch.einsum("hi,hid->hd", scores.softmax(dim=-1), v[b][:, keys]))
        batch.append(torch.stack(outputs, dim=1))
    return torch.stack(batch)


# torch's own attention; rows without any key may look everywhere and are multiplied by 0 afterwards
def right_second_sdpa_safe_rows(q, k, v, real, causal):
    T = q.shape[-2]
    allowed = real[:, None, None, :].expand(-1, 1, T, T)
    if causal:
        allowed = allowed & torch.ones(T, T, dtype=torch.bool, device=q.device).tril()
    some = allowed.any(dim=-1, keepdim=True)
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed | ~some)
    return out * some.to(q.dtype)


# Two additive masks, summed: the gradients are nan.
wrong_added_masks = """
def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    minus = torch.zeros(real.shape, dtype=q.dtype).masked_fill(~real, -math.inf)[:, None, None, :]
    if causal:
        minus = minus + torch.full((q.shape[2], q.shape[2]), -math.inf).triu(1)
    out = torch.einsum("bhqk,bhkd->bhqd", torch.softmax(attention_scores(q, k) + minus, -1), v)
    out[out.isnan()] = 0
    return out
"""


# -1e9: a query without a key gets the mean of all values.
wrong_billion = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    return torch.softmax(attention_scores(q, k).masked_fill(~allowed, -1e9), dim=-1) @ v
"""


# The causal mask is always on.
wrong_causal_always = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :] & causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
"""


# A pair is allowed if one of the masks allows it.
wrong_either = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed | causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
"""


# nan is left where a query has no key.
wrong_nan = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    return torch.softmax(attention_scores(q, k).masked_fill(~allowed, -math.inf), dim=-1) @ v
"""


# Only rows without any token are handled, not padding at the start.
wrong_only_empty_rows = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    out = torch.softmax(s, dim=-1) @ v
    return torch.where(real.any(dim=1)[:, None, None, None], out, 0.0)
"""


# Padded queries get the output 0.
wrong_padded_queries_zero = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :] & real[:, None, :, None]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
"""
