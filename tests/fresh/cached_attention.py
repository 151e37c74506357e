"""Fresh answers to cached_attention."""


# Lists of tensors that are joined.
def right_lists(q, k, v, past):
    keys, values = ([k], [v]) if past is None else ([past[0], k], [past[1], v])
    keys, values = torch.cat(keys, 2), torch.cat(values, 2)
    r = q.shape[1] // keys.shape[1]
    n, total = q.shape[2], keys.shape[2]
    query_at = torch.arange(total - n, total).unsqueeze(1)
    scores = q @ keys.repeat_interleave(r, 1).mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(torch.arange(total) > query_at, -math.inf)
    return scores.softmax(-1) @ values.repeat_interleave(r, 1), (keys, values)


# The whole mask, of which the last rows are used.
def right_last_rows(q, k, v, past):
    if past:
        k, v = torch.cat([past[0], k], dim=2), torch.cat([past[1], v], dim=2)
    n, s = q.shape[2], k.shape[2]
    mask = torch.tril(torch.ones(s, s, dtype=torch.bool))[s - n :]
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
    return out, (k, v)


# Head by head.
def right_heads(q, k, v, past):
    if past is not None:
        k = torch.cat((past[0], k), 2)
        v = torch.cat((past[1], v), 2)
    r, n, s, outs = q.size(1) // k.size(1), q.size(2), k.size(2), []
    add = torch.zeros(n, s, dtype=q.dtype).masked_fill(torch.ones(n, s).triu(s - n + 1).bool(), -math.inf)
    for j in range(q.size(1)):
        outs.append(((q[:, j] @ k[:, j // r].mT) / q.size(3) ** 0.5 + add).softmax(-1) @ v[:, j // r])
    return torch.stack(outs, 1), (k, v)


# A list for the pair.
def right_returns_lists(q, k, v, past):
    old_k, old_v = past if past is not None else (k.narrow(2, 0, 0), v.narrow(2, 0, 0))
    k, v = torch.cat((old_k, k), 2), torch.cat((old_v, v), 2)
    L, n = old_k.shape[2], q.shape[2]
    g = k.shape[1]
    s = torch.einsum("bgrnd,bgsd->bgrns", q.unflatten(1, (g, -1)), k) / q.shape[-1] ** 0.5
    s = s.where(torch.ones(n, L + n).tril(L).bool(), torch.tensor(-math.inf, dtype=s.dtype))
    return [torch.einsum("bgrns,bgsd->bgrnd", s.softmax(-1), v).flatten(1, 2), [k, v]]


# is_causal with fewer queries than keys.
def wrong_is_causal(q, k, v, past):
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True), (k, v)


# The mask is one position too wide.
def wrong_one_ahead(q, k, v, past):
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    n, s = q.shape[2], k.shape[2]
    mask = torch.ones(n, s).tril(s - n + 1).bool()
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True), (k, v)


# The cache is the old one.
def wrong_old_cache(q, k, v, past):
    new = (k, v)
    if past is not None:
        new = past
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    n, s = q.shape[2], k.shape[2]
    return F.scaled_dot_product_attention(
        q, k, v, attn_mask=torch.ones(n, s).tril(s - n).bool(), enable_gqa=True
    ), new


# Keys and values exchanged in the cache.
def wrong_exchanged(q, k, v, past):
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    n, s = q.shape[2], k.shape[2]
    out = F.scaled_dot_product_attention(
        q, k, v, attn_mask=torch.ones(n, s).tril(s - n).bool(), enable_gqa=True
    )
    return out, (v, k)


# past is never None.
def wrong_never_none(q, k, v, past):
    k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    n, s = q.shape[2], k.shape[2]
    out = F.scaled_dot_product_attention(
        q, k, v, attn_mask=torch.ones(n, s).tril(s - n).bool(), enable_gqa=True
    )
    return out, (k, v)


# Only the cached positions are attended to.
def wrong_past_only(q, k, v, past):
    if past is None:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True), (k, v)
    out = F.scaled_dot_product_attention(q, *past, enable_gqa=True)
    return out, (torch.cat((past[0], k), 2), torch.cat((past[1], v), 2))


# Three results and not two.
def wrong_flat(q, k, v, past):
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    n, s = q.shape[2], k.shape[2]
    out = F.scaled_dot_product_attention(
        q, k, v, attn_mask=torch.ones(n, s).tril(s - n).bool(), enable_gqa=True
    )
    return out, k, v


# The new positions one after the other, each with a longer cache.
def right_one_by_one(q, k, v, past):
    keys, values = past if past is not None else (k[:, :, :0], v[:, :, :0])
    g, out = q.shape[1] // k.shape[1], []
    for j in range(q.shape[2]):
        keys = torch.cat((keys, k[:, :, j : j + 1]), 2)
        values = torch.cat((values, v[:, :, j : j + 1]), 2)
        out.append(F.scaled_dot_product_attention(q[:, :, j : j + 1], keys.repeat_interleave(g, 1), values.repeat_interleave(g, 1)))
    return torch.cat(out, 2), (keys, values)


# Zero queries fill up the row.
def right_padded_row(q, k, v, past):
    L = past[0].shape[2] if past is not None else 0
    if L:
        k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
    row = torch.cat((torch.zeros(*q.shape[:2], L, q.shape[3], dtype=q.dtype), q), 2)
    return F.scaled_dot_product_attention(row, k, v, is_causal=True, enable_gqa=True)[:, :, L:], (k, v)


# Only the last 64 cached positions are used.
def wrong_window(q, k, v, past):
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    n, total, group = q.shape[2], k.shape[2], q.shape[1] // k.shape[1]
    keep = torch.ones(n, total).tril(total - n).triu(total - n - 63).bool()
    logits = q @ k.repeat_interleave(group, 1).mT / q.shape[-1] ** 0.5
    return logits.masked_fill(~keep, -math.inf).softmax(-1) @ v.repeat_interleave(group, 1), (k, v)


# −100 is not far below logits of several hundreds.
def wrong_fill_100(q, k, v, past):
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    n, total, group = q.shape[2], k.shape[2], q.shape[1] // k.shape[1]
    logits = q @ k.repeat_interleave(group, 1).mT / q.shape[-1] ** 0.5
    logits = logits.masked_fill(torch.ones(n, total).triu(total - n + 1).bool(), -100.0)
    return logits.softmax(-1) @ v.repeat_interleave(group, 1), (k, v)


# the cache is kept in a global: the past of another row is used
wrong_global_cache = '''
_cache = None

def cached_attention(q, k, v, past):
    global _cache
    if past is not None and _cache is not None and _cache[0].shape == past[0].shape:
        past = _cache
    if past is not None:
        k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
    _cache = (k, v)
    g, n, total = q.shape[1] // k.shape[1], q.shape[2], k.shape[2]
    keys, values = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    logits = q @ keys.mT / math.sqrt(q.shape[-1])
    seen = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    return logits.masked_fill(~seen, -math.inf).softmax(-1) @ values, (k, v)
'''


# no mask if there is a past: wrong for n > 1
def wrong_no_mask_with_past(q, k, v, past):
    if past is None:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True), (k, v)
    k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    return F.scaled_dot_product_attention(q, k, v, enable_gqa=True), (k, v)


# the new keys come before the past
def wrong_order(q, k, v, past):
    L = 0 if past is None else past[0].shape[2]
    if past is not None:
        k, v = torch.cat((k, past[0]), 2), torch.cat((v, past[1]), 2)
    mask = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril(L)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True), (k, v)


# the cache that is returned holds the new positions only
def wrong_new_cache_only(q, k, v, past):
    L = 0 if past is None else past[0].shape[2]
    keys, values = (k, v) if past is None else (torch.cat((past[0], k), 2), torch.cat((past[1], v), 2))
    mask = torch.ones(q.shape[2], keys.shape[2], dtype=torch.bool).tril(L)
    return F.scaled_dot_product_attention(q, keys, values, attn_mask=mask, enable_gqa=True), (k, v)


# the cache that is returned has h heads
def wrong_repeated_cache(q, k, v, past):
    L = 0 if past is None else past[0].shape[2]
    keys, values = (k, v) if past is None else (torch.cat((past[0], k), 2), torch.cat((past[1], v), 2))
    g = q.shape[1] // k.shape[1]
    keys, values = keys.repeat_interleave(g, 1), values.repeat_interleave(g, 1)
    mask = torch.ones(q.shape[2], keys.shape[2], dtype=torch.bool).tril(L)
    return F.scaled_dot_product_attention(q, keys, values, attn_mask=mask), (keys, values)


# −10,000 is not far below logits of many thousands
def wrong_fourth_fill_1e4(q, k, v, past):
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    g, n, S = q.shape[1] // k.shape[1], q.shape[2], k.shape[2]
    s = q @ k.repeat_interleave(g, 1).mT / math.sqrt(q.shape[-1])
    s = s.masked_fill(torch.ones(n, S).triu(S - n + 1).bool(), -1e4)
    return s.softmax(-1) @ v.repeat_interleave(g, 1), (k, v)


# only the last 256 positions are used
def wrong_fourth_window_256(q, k, v, past):
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    g, n, S = q.shape[1] // k.shape[1], q.shape[2], k.shape[2]
    s = q @ k.repeat_interleave(g, 1).mT / math.sqrt(q.shape[-1])
    i = torch.arange(S - n, S)[:, None]; j = torch.arange(S)
    s = s.masked_fill((j > i) | (j <= i - 256), -math.inf)
    return s.softmax(-1) @ v.repeat_interleave(g, 1), (k, v)


# the mask is one position too wide where as many positions are new as cached
def wrong_fourth_square_if_equal(q, k, v, past):
    L = 0 if past is None else past[0].shape[2]
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    g, n, S = q.shape[1] // k.shape[1], q.shape[2], k.shape[2]
    s = q @ k.repeat_interleave(g, 1).mT / math.sqrt(q.shape[-1])
    m = torch.ones(n, S).triu(S - n + 1 + (L == n)).bool()
    return s.masked_fill(m, -math.inf).softmax(-1) @ v.repeat_interleave(g, 1), (k, v)


# a cache of no positions stops it
def wrong_fifth_empty_past(q, k, v, past):
    if past is not None:
        past[0].amax()
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    new, all_of = q.shape[2], k.shape[2]
    seen = torch.ones(new, all_of, dtype=torch.bool).tril(all_of - new)
    group = q.shape[1] // k.shape[1]
    keys, values = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    return F.scaled_dot_product_attention(q, keys, values, attn_mask=seen), (k, v)
