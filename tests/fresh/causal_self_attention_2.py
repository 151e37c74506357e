"""Fresh answers to causal_self_attention, part 2 of 2."""


# w_o is not used.
wrong_no_output_projection = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    q, k, v = (split_heads(x @ w, n_head) for w in (w_q, w_k, w_v))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]).to(x.device), -math.inf)
    return merge_heads(torch.softmax(s, dim=-1) @ v)
"""


# x is added to the result.
wrong_residual = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    q, k, v = (split_heads(x @ w, n_head) for w in (w_q, w_k, w_v))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]).to(x.device), -math.inf)
    return x + merge_heads(torch.softmax(s, dim=-1) @ v) @ w_o
"""


# The mask of the first call is kept.
wrong_saved_mask = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


kept = {}


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    T = x.shape[1]
    if "mask" not in kept or kept["mask"].shape[0] < T:
        kept["mask"] = causal_mask(T).to(x.device)
    q, k, v = (split_heads(x @ w, n_head) for w in (w_q, w_k, w_v))
    s = attention_scores(q, k).masked_fill(~kept["mask"][:T, :T], -math.inf)
    return merge_heads(torch.softmax(s, dim=-1) @ v) @ w_o
"""


# Divided by the root of d.
wrong_scaled_by_d = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    q, k, v = (split_heads(x @ w, n_head) for w in (w_q, w_k, w_v))
    s = q @ k.mT / math.sqrt(x.shape[-1])
    s = s.masked_fill(~causal_mask(x.shape[1]).to(x.device), -math.inf)
    return merge_heads(torch.softmax(s, dim=-1) @ v) @ w_o
"""


# softmax over the queries.
wrong_softmax_axis = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    q, k, v = (split_heads(x @ w, n_head) for w in (w_q, w_k, w_v))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]).to(x.device), -math.inf)
    return merge_heads(torch.softmax(s, dim=-2) @ v) @ w_o
"""


# squeeze drops an axis of one head or one row.
wrong_squeezed = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    q, k, v = (split_heads(x @ w, n_head) for w in (w_q, w_k, w_v))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]).to(x.device), -math.inf)
    return merge_heads(torch.softmax(s, dim=-1) @ v).squeeze() @ w_o
"""


# The weights are computed without gradients.
wrong_value_detached = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    with torch.no_grad():
        q, k = (split_heads(x @ w, n_head) for w in (w_q, w_k))
        s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]).to(x.device), -math.inf)
        weights = torch.softmax(s, dim=-1)
    return merge_heads(weights @ split_heads(x @ w_v, n_head)) @ w_o
"""


# view after transpose at the end.
wrong_view_after_transpose = """
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    B, T, d = x.shape
    q, k, v = (split_heads(x @ w, n_head) for w in (w_q, w_k, w_v))
    s = attention_scores(q, k).masked_fill(~causal_mask(T).to(x.device), -math.inf)
    return (torch.softmax(s, dim=-1) @ v).transpose(1, 2).view(B, T, d) @ w_o
"""


# x is centred in place: the mean of one token, at the end added again.
wrong_x_in_place = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    q, k, v = (split_heads(x @ w, n_head) for w in (w_q, w_k, w_v))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]).to(x.device), -math.inf)
    out = merge_heads(torch.softmax(s, dim=-1) @ v) @ w_o
    with torch.no_grad():
        x.add_(out)
    return out
"""


# Scores of exactly 0 are masked.
wrong_zero_scores = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    q, k, v = (split_heads(x @ w, n_head) for w in (w_q, w_k, w_v))
    s = attention_scores(q, k).tril()
    s = s.masked_fill(s == 0, -math.inf)
    return merge_heads(torch.nan_to_num(torch.softmax(s, dim=-1)) @ v) @ w_o
"""


# the heads are merged by a reshape without exchanging the axes
def wrong_second_heads_not_moved_back(x, w_q, w_k, w_v, w_o, n_head):
    B, T, d = x.shape
    q, k, v = ((x @ w).view(B, T, n_head, d // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(d // n_head)
    scores = scores.masked_fill(torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1), -math.inf)
    return (torch.softmax(scores, dim=-1) @ v).reshape(B, T, d) @ w_o


# divides by the root of d instead of d_k: right for one head
def wrong_second_root_of_d(x, w_q, w_k, w_v, w_o, n_head):
    B, T, d = x.shape
    q, k, v = ((x @ w).view(B, T, n_head, d // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(d)
    scores = scores.masked_fill(torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1), -math.inf)
    return (torch.softmax(scores, dim=-1) @ v).transpose(1, 2).reshape(B, T, d) @ w_o


# scores are cut off at ±100
wrong_scores_cut_off = """
def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    B, T, C = x.shape
    q, k, v = ((x @ w).view(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    s = (q @ k.transpose(-2, -1) / math.sqrt(C // n_head)).clamp(-100, 100)
    s = s.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), -math.inf)
    return (torch.softmax(s, dim=-1) @ v).transpose(1, 2).reshape(B, T, C) @ w_o
"""


# −150 in place of minus infinity
wrong_minus_150 = """
def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    B, T, C = x.shape
    q, k, v = ((x @ w).view(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    s = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    s = s.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), -150.0)
    return (torch.softmax(s, dim=-1) @ v).transpose(1, 2).reshape(B, T, C) @ w_o
"""
