"""Fresh answers to masked_attention, part 2 of 2."""


# Padding is always thought to be at the end.
wrong_prefix = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


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
wrong_queries_masked = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, :, None]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
"""


# Rows without a token are marked as real, in real itself.
wrong_real_in_place = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


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
wrong_renormalised = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    w = torch.softmax(attention_scores(q, k), dim=-1) * allowed
    return w / (w.sum(dim=-1, keepdim=True) + 1e-3) @ v
"""


# The padding of row 0 is used for all rows.
wrong_row_zero = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[0]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k).masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
"""


# -10000 and weights that are then masked: big scores leak.
wrong_ten_thousand = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked_attention(q, k, v, real, causal):
    allowed = real[:, None, None, :]
    if causal:
        allowed = allowed & causal_mask(q.shape[2])
    s = attention_scores(q, k) + (~allowed) * -100.0
    return (torch.softmax(s, dim=-1) * allowed) @ v
"""


# Values of padding are set to 0, in place, and scores are not masked.
wrong_values_zeroed = """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


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
