"""Fresh answers to masked_attention."""



causal_mask = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()
def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])"""

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
right_extra_key = causal_mask + """
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
right_finite_then_zero = causal_mask + """
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
wrong_billion = causal_mask + """
def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    return torch.softmax(attention_scores(q, k).masked_fill(~allowed, -1e9), dim=-1) @ v
"""

# The causal mask is always on.
wrong_causal_always = causal_mask + """
def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :] & causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
"""

# A pair is allowed if one of the masks allows it.
wrong_either = causal_mask + """
def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed | causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
"""

# nan is left where a query has no key.
wrong_nan = causal_mask + """
def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    return torch.softmax(attention_scores(q, k).masked_fill(~allowed, -math.inf), dim=-1) @ v
"""

# Only rows without any token are handled, not padding at the start.
wrong_only_empty_rows = causal_mask + """
def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    out = torch.softmax(s, dim=-1) @ v
    return torch.where(real.any(dim=1)[:, None, None, None], out, 0.0)
"""

# Padded queries get the output 0.
wrong_padded_queries_zero = causal_mask + """
def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :] & real[:, None, :, None]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
"""

# Padding is always thought to be at the end.
wrong_prefix = causal_mask + """
def masked_attention(q, k, v, real, causal):
    T = q.shape[2]
    real = torch.arange(T) < real.sum(dim=1, keepdim=True)
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(T)
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
"""

# The mask is on the axis of the queries.
wrong_queries_masked = causal_mask + """
def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, :, None]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
"""

# Rows without a token are marked as real, in real itself.
wrong_real_in_place = causal_mask + """
def masked_attention(q, k, v, real, causal):
    empty = ~real.any(dim=1)
    real[empty] = True
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    out = torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
    out[empty] = 0
    return out
"""

# Weights are masked after the softmax and divided by their sum; no key gives nan.
wrong_renormalised = causal_mask + """
def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    w = torch.softmax(attention_scores(q, k), dim=-1) * allowed
    return w / (w.sum(dim=-1, keepdim=True) + 1e-3) @ v
"""

# The padding of row 0 is used for all rows.
wrong_row_zero = causal_mask + """
def masked_attention(q, k, v, real, causal):
    allowed = real[0]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
"""

# -10000 and weights that are then masked: big scores leak.
wrong_ten_thousand = causal_mask + """
def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k) + (~allowed) * -100.0
    return (torch.softmax(s, dim=-1) * allowed) @ v
"""

# Values of padding are set to 0, in place, and scores are not masked.
wrong_values_zeroed = causal_mask + """
def masked_attention(q, k, v, real, causal):
    v *= real[:, None, :, None]
    s = attention_scores(q, k)
    if causal:
        s = s.masked_fill(~causal_mask(q.shape[2]), -math.inf)
    return torch.softmax(s, dim=-1) @ v
"""

# Weights are masked after the softmax.
wrong_weights_masked = """
def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
def masked_attention(q, k, v, real, causal):
    w = torch.softmax(attention_scores(q, k), dim=-1)
    w = w * real[:, None, None, :]
    if causal:
        w = w.tril()
    return w @ v
"""

# finds rows without keys from the padding alone: with the causal mask and padding in front it gives nan
def wrong_second_empty_only_by_padding(q, k, v, real, causal):
    T = q.shape[-2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~real[:, None, None, :], -math.inf)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), -math.inf)
    some = real.any(dim=1)[:, None, None, None]
    weights = torch.softmax(scores.masked_fill(~some, 0.0), dim=-1)
    return (weights * some) @ v

# minus a billion instead of minus infinity: a query without keys averages everything
def wrong_second_large_negative(q, k, v, real, causal):
    T = q.shape[-2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~real[:, None, None, :], -1e9)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), -1e9)
    return torch.softmax(scores, dim=-1) @ v

# also sets the outputs of padded queries to 0
def wrong_second_padded_queries_zero(q, k, v, real, causal):
    T = q.shape[-2]
    allowed = real[:, None, None, :] & real[:, None, :, None]
    if causal:
        allowed = allowed & torch.ones(T, T, dtype=torch.bool).tril()
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.softmax(scores.masked_fill(~allowed.any(dim=-1, keepdim=True), 0.0), dim=-1)
    return (weights * allowed) @ v

# −100 in place of minus infinity; queries without a key give 0
def wrong_minus_hundred(q, k, v, real, causal):
    T = q.shape[-2]
    allowed = real[:, None, None, :].expand(-1, 1, T, -1)
    if causal:
        allowed = allowed & torch.ones(T, T, dtype=torch.bool).tril()
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores.masked_fill(~allowed, -100.0), dim=-1)
    return weights.masked_fill(~allowed.any(dim=-1, keepdim=True), 0.0) @ v

# scores below −100 are cut off first, so that minus a thousand is always lower
def wrong_scores_cut_off(q, k, v, real, causal):
    T = q.shape[-2]
    allowed = real[:, None, None, :].expand(-1, 1, T, -1)
    if causal:
        allowed = allowed & torch.ones(T, T, dtype=torch.bool).tril()
    scores = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).clamp(min=-100.0)
    weights = torch.softmax(scores.masked_fill(~allowed, -1e3), dim=-1)
    return weights.masked_fill(~allowed.any(dim=-1, keepdim=True), 0.0) @ v

# a causal mask of 32 positions
wrong_mask_of_32 = """
TRIANGLE = torch.ones(32, 32, dtype=torch.bool).tril()
def masked_attention(q, k, v, real, causal):
    T = q.shape[-2]
    allowed = real[:, None, None, :].expand(-1, 1, T, -1)
    if causal:
        allowed = allowed & TRIANGLE[:T, :T]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return weights.masked_fill(~allowed.any(dim=-1, keepdim=True), 0.0) @ v
"""


# "no query may attend": −10,000 is no −∞ on very steep scores
def wrong_minus_ten_thousand(q, k, v, real, causal):
    T = q.shape[2]
    allowed = real[:, None, None, :].expand(-1, 1, T, T)
    if causal:
        allowed = allowed & torch.ones(T, T, dtype=torch.bool).tril()
    s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~allowed, -1e4)
    return (torch.softmax(s, -1) * allowed.any(-1, keepdim=True)) @ v


# "If `causal` is True": one token needs no mask, but it may be padding, and its output 0
def wrong_one_token(q, k, v, real, causal):
    T = q.shape[2]
    if T == 1:
        return v.clone()
    allowed = real[:, None, None, :].expand(-1, 1, T, T)
    if causal:
        allowed = allowed & torch.ones(T, T, dtype=torch.bool).tril()
    s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~allowed, -math.inf)
    return torch.softmax(s, -1).masked_fill(~allowed.any(-1, keepdim=True), 0) @ v


# "no query may attend": -1000.0 is no −∞ where allowed scores are lower
def wrong_minus_thousand(q, k, v, real, causal):
    T = q.shape[2]
    allowed = real[:, None, None, :].expand(-1, 1, T, T)
    if causal:
        allowed = allowed & torch.ones(T, T, dtype=torch.bool).tril()
    s = torch.where(allowed, q @ k.mT / math.sqrt(q.shape[-1]), -1000.0)
    return (torch.softmax(s, -1) * allowed.any(-1, keepdim=True)) @ v

# A small number in the sum of the exponentials.
def wrong_seventh_small_number(q, k, v, real, causal):
    past = torch.ones(q.shape[2], q.shape[2]).tril(0 if causal else q.shape[2]).bool()
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~(real[:, None, None] & past), -math.inf)
    powers = (scores - scores.amax(-1, keepdim=True).clamp(min=-1e9)).exp()
    return powers @ v / (powers.sum(-1, keepdim=True) + 1e-8)
