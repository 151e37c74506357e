"""Fresh answers to cross_attention."""



merge_heads = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)
def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])"""


merge_heads_2 = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)"""

# masked_attention cannot be used; queries one at a time.
right_causal_layer_of_past = merge_heads + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    k, v = split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    outs = []
    for t in range(x.shape[1]):
        q = split_heads(x[:, t : t + 1] @ w_q, n_head)
        outs.append(merge_heads(torch.softmax(attention_scores(q, k), -1) @ v))
    return torch.cat(outs, 1) @ w_o
"""

# einsum, with the root as a tensor.
def right_einsum(x, memory, w_q, w_k, w_v, w_o, n_head):
    cut = lambda w: w.reshape(w.shape[0], n_head, -1)
    q = torch.einsum("bqd,dhc->bhqc", x, cut(w_q))
    k = torch.einsum("bkd,dhc->bhkc", memory, cut(w_k))
    v = torch.einsum("bkd,dhc->bhkc", memory, cut(w_v))
    w = torch.softmax(torch.einsum("bhqc,bhkc->bhqk", q, k) / torch.sqrt(torch.tensor(q.size(-1))), dim=-1)
    return torch.einsum("bhqk,bhkc,hcd->bqd", w, v, w_o.reshape(n_head, -1, w_o.shape[1]))

# One head at a time; the outputs are added.
def right_head_by_head(x, memory, w_q, w_k, w_v, w_o, n_head):
    out = torch.zeros_like(x)
    for a, b, c, e in zip(w_q.chunk(n_head, 1), w_k.chunk(n_head, 1), w_v.chunk(n_head, 1), w_o.chunk(n_head, 0)):
        w = ((x @ a) @ (memory @ b).mT / a.shape[1] ** 0.5).softmax(dim=-1)
        out = out + w @ (memory @ c) @ e
    return out

# The product of both matrices, once for each head.
def right_keys_in_the_query(x, memory, w_q, w_k, w_v, w_o, n_head):
    d_k, d_v = w_q.size(1) // n_head, w_v.size(1) // n_head
    heads = []
    for j in range(n_head):
        both = w_q[:, j * d_k : (j + 1) * d_k] @ w_k[:, j * d_k : (j + 1) * d_k].T  # (d, D)
        w = torch.softmax(x @ both @ memory.transpose(1, 2) / math.sqrt(d_k), dim=2)
        heads.append(w @ memory @ w_v[:, j * d_v : (j + 1) * d_v])
    return torch.cat(heads, dim=2) @ w_o

# One pair of the batch at a time.
right_row_by_row = merge_heads + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    rows = []
    for one, read in zip(x, memory):
        q, k, v = (split_heads(y[None], n_head) for y in (one @ w_q, read @ w_k, read @ w_v))
        e = torch.exp(attention_scores(q, k) - attention_scores(q, k).amax(-1, keepdim=True))
        rows.append(merge_heads(e / e.sum(-1, keepdim=True) @ v)[0] @ w_o)
    return torch.stack(rows)
"""

# torch's own attention.
def right_sdpa(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = (y.unflatten(-1, (n_head, -1)).transpose(1, 2) for y in (x @ w_q, memory @ w_k, memory @ w_v))
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(-2) @ w_o

# the matrices get a head axis, and einsum does everything
def right_second_einsum_with_head_axis(x, memory, w_q, w_k, w_v, w_o, n_head):
    per_head_q = w_q.unflatten(1, (n_head, -1))
    per_head_k = w_k.unflatten(1, (n_head, -1))
    per_head_v = w_v.unflatten(1, (n_head, -1))
    q = torch.einsum("btd,dhc->bhtc", x, per_head_q)
    k = torch.einsum("bsd,dhc->bhsc", memory, per_head_k)
    v = torch.einsum("bsd,dhc->bhsc", memory, per_head_v)
    shares = torch.einsum("bhtc,bhsc->bhts", q, k).div(q.shape[-1] ** 0.5).softmax(-1)
    return torch.einsum("bhts,bhsc,hcd->btd", shares, v, w_o.unflatten(0, (n_head, -1)))

# a loop over heads with pieces of the four matrices, the results added up
def right_second_loop_over_slices(x, memory, w_q, w_k, w_v, w_o, n_head):
    pieces = zip(w_q.chunk(n_head, 1), w_k.chunk(n_head, 1), w_v.chunk(n_head, 1), w_o.chunk(n_head, 0))
    def head(a, b, c, o):
        scores = torch.matmul(x @ a, (memory @ b).mT) / math.sqrt(a.shape[1])
        scores = scores - scores.amax(dim=-1, keepdim=True).detach()
        powers = scores.exp()
        return powers / powers.sum(dim=-1, keepdim=True) @ (memory @ c) @ o
    return sum(head(*piece) for piece in pieces)

# With a causal mask where the table is square.
wrong_causal = merge_heads_2 + """
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()
def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
def masked(s):
    if s.shape[-1] != s.shape[-2]:
        return s
    return s.masked_fill(~causal_mask(s.shape[-1]), -math.inf)
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(masked(attention_scores(q, k)), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""

# The memory is detached.
wrong_detached_memory = merge_heads + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    memory = memory.detach()
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""

# Dropout on the weights, always on.
wrong_dropout = merge_heads + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return merge_heads(F.dropout(weights, 0.1) @ v) @ w_o
"""

# d_v is thought to be d_k.
wrong_equal_widths = merge_heads + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), (memory @ w_v).view(*memory.shape[:2], n_head, w_k.shape[1] // n_head).transpose(1, 2)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""

# The memory of row 0 for all rows.
wrong_first_memory = merge_heads + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    memory = memory[:1].expand_as(memory)
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""

# Keys from x.
wrong_keys_from_x = merge_heads + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(x @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""

# The keys and values of the first memory of each shape are kept.
wrong_keys_kept = merge_heads + """
known = {}
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q = split_heads(x @ w_q, n_head)
    k, v = known.setdefault(memory.shape, (split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)))
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""

# The memory is normalised in place.
wrong_memory_in_place = merge_heads + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    memory -= 0.0 * memory + 1e-9
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""

# w_o is used only if the widths demand it.
wrong_no_output = merge_heads + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    out = merge_heads(weights @ v)
    return out if out.shape[-1] == x.shape[-1] else out @ w_o
"""

# One head of full width.
wrong_one_head = merge_heads + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, 1), split_heads(memory @ w_k, 1), split_heads(memory @ w_v, 1)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""

# x is added.
wrong_residual = merge_heads + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return x + merge_heads(weights @ v) @ w_o
"""

# Queries from memory, keys and values from x.
wrong_roles = merge_heads + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(memory @ w_q, n_head), split_heads(x @ w_k, n_head), split_heads(x @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""

# Divided by the root of d.
wrong_scaled_by_d = merge_heads_2 + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(q @ k.mT / math.sqrt(x.shape[-1]), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""

# Divided by the root of d / h.
wrong_scaled_by_d_over_h = merge_heads_2 + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(q @ k.mT / math.sqrt(x.shape[-1] // n_head), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""

# Divided by the root of d_v.
wrong_scaled_by_value_width = merge_heads_2 + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(q @ k.mT / math.sqrt(v.shape[-1]), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""

# Softmax over the queries.
wrong_softmax_over_queries = merge_heads + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-2)
    return merge_heads(weights @ v) @ w_o
"""

# Values from x.
wrong_values_from_x = merge_heads + """
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(x @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""

# view after transpose.
wrong_view = """
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)
def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return (weights @ v).transpose(1, 2).view(x.shape[0], x.shape[1], w_v.shape[1]) @ w_o
"""

# keeps the causal mask, as in self-attention
def wrong_second_causal(x, memory, w_q, w_k, w_v, w_o, n_head):
    q = (x @ w_q).unflatten(-1, (n_head, -1)).transpose(1, 2)
    k, v = ((memory @ w).unflatten(-1, (n_head, -1)).transpose(1, 2) for w in (w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    later = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
    weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o

# splits with the width d // n_head: right only if h times d_k and h times d_v equal d
def wrong_second_head_width_from_d(x, memory, w_q, w_k, w_v, w_o, n_head):
    B, n_q, d = x.shape
    width = d // n_head
    q = (x @ w_q).view(B, n_q, n_head, width).transpose(1, 2)
    k = (memory @ w_k).view(B, -1, n_head, width).transpose(1, 2)
    v = (memory @ w_v).view(B, -1, n_head, width).transpose(1, 2)
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(width), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, n_q, d) @ w_o

# divides by the root of d_v
def wrong_second_root_of_value_width(x, memory, w_q, w_k, w_v, w_o, n_head):
    q = (x @ w_q).unflatten(-1, (n_head, -1)).transpose(1, 2)
    k, v = ((memory @ w).unflatten(-1, (n_head, -1)).transpose(1, 2) for w in (w_k, w_v))
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(v.shape[-1]), dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


# Clips the scores to ±10: wrong for steep scores.
def wrong_clipped(x, memory, w_q, w_k, w_v, w_o, n_head):
    B, n_q, _ = x.shape
    n_k = memory.shape[1]
    q = (x @ w_q).view(B, n_q, n_head, -1).transpose(1, 2)
    k = (memory @ w_k).view(B, n_k, n_head, -1).transpose(1, 2)
    v = (memory @ w_v).view(B, n_k, n_head, -1).transpose(1, 2)
    a = torch.softmax((q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).clamp(-10, 10), dim=-1)
    return (a @ v).transpose(1, 2).reshape(B, n_q, -1) @ w_o


# Exponentials without a maximum: they overflow.
def wrong_fourth_plain_exponentials(x, memory, w_q, w_k, w_v, w_o, n_head):
    B, n_q, _ = x.shape
    q = (x @ w_q).unflatten(-1, (n_head, -1)).transpose(1, 2)
    k, v = ((memory @ w).unflatten(-1, (n_head, -1)).transpose(1, 2) for w in (w_k, w_v))
    scores = q @ k.mT / math.sqrt(k.shape[-1])
    powers = scores.exp()
    return (powers / powers.sum(-1, keepdim=True) @ v).transpose(1, 2).reshape(B, n_q, -1) @ w_o


# Only the first 512 positions of the memory are read.
def wrong_fourth_memory_of_512(x, memory, w_q, w_k, w_v, w_o, n_head):
    B, n_q, _ = x.shape
    q = (x @ w_q).unflatten(-1, (n_head, -1)).transpose(1, 2)
    k, v = ((memory @ w).unflatten(-1, (n_head, -1)).transpose(1, 2) for w in (w_k, w_v))
    scores = q @ k.mT / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores[..., :512], -1)
    return (weights @ v[:, :, :512]).transpose(1, 2).reshape(B, n_q, -1) @ w_o


# Divided by the root of the memory's width per head.
def wrong_eighth_memory_scale(x, memory, w_q, w_k, w_v, w_o, n_head):
    def heads(y, w):
        return (y @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)

    q, k, v = heads(x, w_q), heads(memory, w_k), heads(memory, w_v)
    scores = q @ k.mT / math.sqrt(memory.shape[-1] / n_head)
    return (torch.softmax(scores, dim=-1) @ v).transpose(1, 2).flatten(2) @ w_o
