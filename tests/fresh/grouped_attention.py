"""Fresh answers to grouped_attention."""


# chunk the query heads, one chunk for each key head.
def right_chunks(q, k, v):
    out = []
    for j, part in enumerate(q.chunk(k.shape[1], dim=1)):
        scores = part @ k[:, j : j + 1].transpose(-1, -2) / q.shape[-1] ** 0.5
        T = q.shape[2]
        hide = torch.triu(torch.ones(T, T, dtype=torch.bool), 1)
        out.append(scores.masked_fill(hide, float("-inf")).softmax(-1) @ v[:, j : j + 1])
    return torch.cat(out, dim=1)


# stack and flatten instead of repeat_interleave.
def right_stack(q, k, v):
    n = q.shape[1] // k.shape[1]
    k = torch.stack([k] * n, dim=2).flatten(1, 2)
    v = torch.stack([v] * n, dim=2).flatten(1, 2)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


# einsum with an axis of groups.
def right_einsum(q, k, v):
    B, h, T, d = q.shape
    g = k.shape[1]
    q = q.reshape(B, g, h // g, T, d)
    s = torch.einsum("bgntd,bgsd->bgnts", q, k) / math.sqrt(d)
    s = s.masked_fill(~torch.tril(torch.ones(T, T)).bool(), -math.inf)
    return torch.einsum("bgnts,bgsd->bgntd", torch.softmax(s, -1), v).reshape(B, h, T, d)


# Exponentials by hand, with the largest logit subtracted.
def right_by_hand(q, k, v):
    n = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
    s = (q @ k.mT) * q.shape[-1] ** -0.5
    s = s + torch.ones_like(s).tril().log()
    e = torch.exp(s - s.amax(-1, keepdim=True))
    return e @ v / e.sum(-1, keepdim=True)


# repeat.
def wrong_repeat(q, k, v):
    n = q.shape[1] // k.shape[1]
    return F.scaled_dot_product_attention(q, torch.cat([k] * n, 1), torch.cat([v] * n, 1), is_causal=True)


# No division.
def wrong_no_division(q, k, v):
    n = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
    T = q.shape[2]
    s = (q @ k.mT).masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return s.softmax(-1) @ v


# The mask is the wrong way round.
def wrong_mask_reversed(q, k, v):
    n = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
    T = q.shape[2]
    s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(torch.ones(T, T).tril(-1).bool(), -math.inf)
    return s.softmax(-1) @ v


# Only as many query heads as there are key heads.
def wrong_first_heads(q, k, v):
    return F.scaled_dot_product_attention(q[:, : k.shape[1]], k, v, is_causal=True)


# Mask with 0 in place of −inf.
def wrong_zero_mask(q, k, v):
    n = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
    s = (q @ k.mT / math.sqrt(q.shape[-1])).tril()
    return s.softmax(-1) @ v


# Repeats along the positions.
def wrong_axis(q, k, v):
    n = q.shape[1] // k.shape[1]
    return F.scaled_dot_product_attention(
        q, k.repeat_interleave(n, 2), v.repeat_interleave(n, 2), is_causal=True
    )


# No groups at all.
def wrong_no_groups(q, k, v):
    T = q.shape[2]
    s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return s.softmax(-1) @ v


# −100 is not far below logits of several hundreds.
def wrong_fill_100(q, k, v):
    n, T = q.shape[1] // k.shape[1], q.shape[2]
    k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
    logits = q @ k.mT / q.shape[-1] ** 0.5
    return logits.masked_fill(torch.ones(T, T).triu(1).bool(), -100.0).softmax(-1) @ v


# Exponentials without the largest logit taken off.
def wrong_unstable(q, k, v):
    g, T = q.shape[1] // k.shape[1], q.shape[2]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    e = torch.exp(q @ k.mT / q.shape[-1] ** 0.5).tril()
    return e / e.sum(-1, keepdim=True) @ v


# −10,000 is not far below logits of many thousands
def wrong_fourth_fill_1e4(q, k, v):
    g, T = q.shape[1] // k.shape[1], q.shape[2]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(torch.ones(T, T).triu(1).bool(), -1e4)
    return s.softmax(-1) @ v


# the logits are limited to ±50
def wrong_fourth_clamped_logits(q, k, v):
    g, T = q.shape[1] // k.shape[1], q.shape[2]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    s = (q @ k.mT / math.sqrt(q.shape[-1])).clamp(-50, 50).masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return s.softmax(-1) @ v


# the logits are divided by 2, which is the root of d_k in one model only
def wrong_fifth_divided_by_two(q, k, v):
    group = q.shape[1] // k.shape[1]
    keys, values = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    return F.scaled_dot_product_attention(q, keys, values, is_causal=True, scale=0.5)
