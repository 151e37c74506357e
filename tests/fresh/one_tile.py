"""Fresh answers to one_tile."""


# torch.as_strided gives the rows as views.
def right_as_strided(memory, query, key, value, stride, length, width, tile, causal):
    q, k, v = (torch.as_strided(memory, (length, width), (stride, 1), start) for start in (query, key, value))
    s = q @ k.mT / math.sqrt(width)
    if causal:
        s = s + torch.full((length, length), -math.inf).triu(1).to(s)
    out = memory.new_zeros(tile, width)
    out[:length] = s.softmax(1) @ v
    return out


# Addresses of missing rows are set to row 0 and masked later.
def right_clamped_addresses(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    exists = at < length
    rows = torch.where(exists, at, 0)[:, None] * stride + torch.arange(width)[None]
    q, k, v = memory[query + rows], memory[key + rows], memory[value + rows]
    scores = torch.einsum("tc,ic->ti", q, k).div(width**0.5)
    allowed = exists.expand(tile, tile)
    if causal:
        allowed = allowed.tril()
    return scores.masked_fill(~allowed, -torch.inf).softmax(-1) @ v


# Rows that are never stored hold nan.
def right_nan_below(memory, query, key, value, stride, length, width, tile, causal):
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


# Addresses from numpy; the arithmetic in float64 and back to the dtype of the memory.
def right_numpy_addresses(memory, query, key, value, stride, length, width, tile, causal):
    where = np.arange(length)[:, None] * stride + np.arange(width)
    q, k, v = (memory.numpy()[start + where].astype(np.float64) for start in (query, key, value))
    s = q @ k.T / np.sqrt(width)
    if causal:
        s[np.triu_indices(length, 1)] = -np.inf
    p = np.exp(s - s.max(axis=1, keepdims=True))
    out = np.zeros((tile, width))
    out[:length] = p / p.sum(axis=1, keepdims=True) @ v
    return torch.tensor(out, dtype=memory.dtype)


# One query after the other, with an online loop over the keys.
def right_query_by_query(memory, query, key, value, stride, length, width, tile, causal):
    row = lambda start, t: memory[start + t * stride + torch.arange(width)]
    out = torch.zeros(tile, width, dtype=memory.dtype)
    for t in range(length):
        last = t + 1 if causal else length
        s = torch.stack([row(query, t) @ row(key, i) for i in range(last)]) / math.sqrt(width)
        p = torch.exp(s - torch.logsumexp(s, 0))
        out[t] = sum(p[i] * row(value, i) for i in range(last))
    return out


# Divides by torch.sqrt(torch.tensor(width)), and masks after the exponential.
def right_root_as_tensor(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where = at.unsqueeze(1) * stride + torch.arange(width)
    inside = (at < length).unsqueeze(1).expand(tile, width)
    q, k, v = [load(memory, start + where, inside) for start in (query, key, value)]
    s = q.matmul(k.t()) / torch.sqrt(torch.tensor(width))
    keep = inside[:, 0][None, :] & ((at[None, :] <= at[:, None]) if causal else torch.tensor(True))
    s = torch.where(keep, s, torch.tensor(-1e30, dtype=s.dtype))
    return torch.nn.functional.softmax(s, dim=-1).mm(v)


# Slices of the memory in a list comprehension, padded with zeros.
def right_slices(memory, query, key, value, stride, length, width, tile, causal):
    def rows(start):
        return torch.stack([memory[start + t * stride : start + t * stride + width] for t in range(length)])

    q, k, v = rows(query), rows(key), rows(value)
    out = F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=causal)[0]
    return F.pad(out, (0, 0, 0, tile - length))


# loads tiles, then walks over the keys with a running maximum and running sums
def right_second_online_over_keys(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    offsets, inside = torch.outer(at, torch.tensor(stride)[None])[:, :1] + torch.arange(width), (at < length).view(-1, 1)
    q, k, v = (load(memory, base + offsets, inside, 0.0) for base in (query, key, value))
    m = torch.full((tile, 1), -math.inf, dtype=memory.dtype)
    ell, a = torch.zeros_like(m), torch.zeros_like(q)
    for i in range(length):
        s = (q * k[i]).sum(dim=1, keepdim=True) / math.sqrt(width)
        if causal:
            s = torch.where(at[:, None] >= i, s, -math.inf)
        new = torch.maximum(m, s)
        f, p = torch.exp(m - new), torch.exp(s - new)
        m, ell, a = new, f * ell + p, f * a + p * v[i]
    return a / ell


# one query and its keys at a time; only real keys are ever loaded for it
def right_second_query_by_query(memory, query, key, value, stride, length, width, tile, causal):
    channels = torch.arange(width)
    everything = torch.ones(1, dtype=torch.bool)
    result = memory.new_zeros(tile, width)
    for t in range(length):
        last = t + 1 if causal else length
        places = torch.arange(last)[:, None] * stride + channels
        q = load(memory, query + t * stride + channels, everything)
        k, v = load(memory, key + places, everything), load(memory, value + places, everything)
        result[t] = torch.softmax(k @ q / width**0.5, dim=0) @ v
    return result


# The tile is always float64.
def wrong_always_double(memory, query, key, value, stride, length, width, tile, causal):
    where = torch.arange(length)[:, None] * stride + torch.arange(width)
    q, k, v = (memory[start + where].double() for start in (query, key, value))
    out = torch.zeros(tile, width, dtype=torch.float64)
    out[:length] = F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=causal)[0]
    return out


# No causal mask.
def wrong_causal_ignored(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    return (q @ k.T / math.sqrt(width)).masked_fill(at >= length, -math.inf).softmax(1) @ v


# Takes the stride from the width, so it is right for one head only.
def wrong_heads_side_by_side(memory, query, key, value, stride, length, width, tile, causal):
    q, k, v = (memory[start : start + length * width].view(length, width) for start in (query, key, value))
    out = F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=causal)[0]
    return F.pad(out, (0, 0, 0, tile - length))


# Loads without a mask and replaces nan by 0.
def wrong_loads_unmasked(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where = at[:, None] * stride + torch.arange(width)
    q, k, v = (memory[start + where].nan_to_num() for start in (query, key, value))
    s = q @ k.T / math.sqrt(width)
    s = s.masked_fill(at >= length, -math.inf)
    if causal:
        s = s.masked_fill(at[None] > at[:, None], -math.inf)
    return s.softmax(1) @ v


# Replaces nan in the memory itself before it loads.
def wrong_memory_changed(memory, query, key, value, stride, length, width, tile, causal):
    memory.nan_to_num_()
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    s = q @ k.T / math.sqrt(width)
    s = s.masked_fill(at >= length, -math.inf)
    if causal:
        s = s.masked_fill(at[None] > at[:, None], -math.inf)
    return s.softmax(1) @ v


# Masks with −100, which is not enough if all logits are far below.
def wrong_minus_hundred(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    s = q @ k.T / math.sqrt(width)
    s = s.masked_fill(at >= length, -100.0)
    if causal:
        s = s.masked_fill(at[None] > at[:, None], -100.0)
    return s.softmax(1) @ v


# The logits of missing keys are not masked.
def wrong_missing_keys_count(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    s = q @ k.T / math.sqrt(width)
    if causal:
        s = s.masked_fill(at[None] > at[:, None], -math.inf)
    return s.softmax(1) @ v


# Plain exponentials: they overflow for large logits.
def wrong_no_maximum(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    e = torch.exp(q @ k.T / math.sqrt(width)) * (at < length)
    if causal:
        e = e.tril()
    return e @ v / e.sum(1, keepdim=True)


# Returns (length, width) rather than the tile.
def wrong_only_the_rows(memory, query, key, value, stride, length, width, tile, causal):
    where = torch.arange(length)[:, None] * stride + torch.arange(width)
    q, k, v = (memory[start + where] for start in (query, key, value))
    return F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=causal)[0]


# Divides by the root of the tile.
def wrong_root_of_tile(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    s = q @ k.T / math.sqrt(tile)
    s = s.masked_fill(at >= length, -math.inf)
    if causal:
        s = s.masked_fill(at[None] > at[:, None], -math.inf)
    return s.softmax(1) @ v


# At most 16 rows.
wrong_tile_of_sixteen = """
TRIANGLE = torch.ones(16, 16, dtype=torch.bool).triu(1)


def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    s = (q @ k.T / math.sqrt(width)).masked_fill(at >= length, -math.inf)
    if causal:
        s = s.masked_fill(TRIANGLE[:tile, :tile], -math.inf)
    return s.softmax(1) @ v
"""


# Loads the values at the keys' address.
def wrong_values_from_keys(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    q, k, v = (load(memory, start + where, inside) for start in (query, key, key))
    s = (q @ k.T / math.sqrt(width)).masked_fill(at >= length, -math.inf)
    if causal:
        s = s.masked_fill(at[None] > at[:, None], -math.inf)
    return s.softmax(1) @ v


# Takes every key of zeros for a missing one.
def wrong_zero_keys_masked(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    s = q @ k.T / math.sqrt(width)
    s = s.masked_fill((k == 0).all(1), -math.inf)
    if causal:
        s = s.masked_fill(at[None] > at[:, None], -math.inf)
    return s.softmax(1) @ v


# ignores the last argument: the causal mask is always there
def wrong_second_always_causal(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where = at[:, None] * stride + torch.arange(width)
    inside = at[:, None] < length
    q, k, v = (load(memory, base + where, inside) for base in (query, key, value))
    logits = q @ k.T / math.sqrt(width)
    return logits.masked_fill(at[None, :] > at[:, None], -math.inf).softmax(dim=-1) @ v


# masks the loads but not the logits of keys that do not exist
def wrong_second_keys_that_do_not_exist(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where = at[:, None] * stride + torch.arange(width)
    inside = at[:, None] < length
    q, k, v = (load(memory, base + where, inside) for base in (query, key, value))
    logits = q @ k.T / math.sqrt(width)
    if causal:
        logits = logits.masked_fill(at[None, :] > at[:, None], -math.inf)
    return logits.softmax(dim=-1) @ v


# takes the width as the step from row to row, right only for a single head
def wrong_second_rows_lie_together(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where = at[:, None] * width + torch.arange(width)
    inside = at[:, None] < length
    q, k, v = (load(memory, base + where, inside) for base in (query, key, value))
    logits = (q @ k.T / math.sqrt(width)).masked_fill(at >= length, -math.inf)
    if causal:
        logits = logits.masked_fill(at[None, :] > at[:, None], -math.inf)
    return logits.nan_to_num(neginf=-1e30).softmax(dim=-1) @ v


# −120 in place of minus infinity
def wrong_minus_120(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    s = q @ k.T / math.sqrt(width)
    hide = (at >= length)[None] | ((at[None] > at[:, None]) & causal)
    return s.masked_fill(hide, -120.0).softmax(1) @ v


# one key too many is loaded where the tile has room
def wrong_one_key_too_many(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    more = at[:, None] < length + 1
    q, v = load(memory, query + where, inside), load(memory, value + where, inside)
    k = load(memory, key + where, more).nan_to_num()
    s = q @ k.T / math.sqrt(width)
    hide = (at >= length)[None] | ((at[None] > at[:, None]) & causal)
    return s.masked_fill(hide, -math.inf).softmax(1) @ v


# a width of eight channels at most
def wrong_eight_channels(memory, query, key, value, stride, length, width, tile, causal):
    at, channel = torch.arange(tile), torch.arange(8)
    inside = (at[:, None] < length) & (channel < width)
    where = at[:, None] * stride + channel
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    s = q @ k.T / math.sqrt(width)
    hide = (at >= length)[None] | ((at[None] > at[:, None]) & causal)
    return (s.masked_fill(hide, -math.inf).softmax(1) @ v)[:, :width]


# the values are loaded from one row further than the head
def wrong_values_too_far(memory, query, key, value, stride, length, width, tile, causal):
    at = torch.arange(tile)
    where, inside = at[:, None] * stride + torch.arange(width), at[:, None] < length
    q, k = load(memory, query + where, inside), load(memory, key + where, inside)
    v = load(memory, value + where, at[:, None] <= length).nan_to_num()
    s = q @ k.T / math.sqrt(width)
    hide = (at >= length)[None] | ((at[None] > at[:, None]) & causal)
    return s.masked_fill(hide, -math.inf).softmax(1) @ v


# a single row gets zeros, as if it attended to nothing
def wrong_one_row(memory, query, key, value, stride, length, width, tile, causal):
    if length == 1:
        return torch.zeros(tile, width, dtype=memory.dtype)
    at, channel = torch.arange(tile), torch.arange(width)
    where, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    allowed = (at[None] < length) & ((at[None] <= at[:, None]) | (not causal))
    return (q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).softmax(-1) @ v
