"""Fresh answers to cross_attention, part 2 of 2."""


# The memory is normalised in place.
wrong_memory_in_place = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    memory -= 0.0 * memory + 1e-9
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""


# w_o is used only if the widths demand it.
wrong_no_output = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    out = merge_heads(weights @ v)
    return out if out.shape[-1] == x.shape[-1] else out @ w_o
"""


# One head of full width.
wrong_one_head = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, 1), split_heads(memory @ w_k, 1), split_heads(memory @ w_v, 1)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""


# x is added.
wrong_residual = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return x + merge_heads(weights @ v) @ w_o
"""


# Queries from memory, keys and values from x.
wrong_roles = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(memory @ w_q, n_head), split_heads(x @ w_k, n_head), split_heads(x @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""


# Divided by the root of d.
wrong_scaled_by_d = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(q @ k.mT / math.sqrt(x.shape[-1]), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""


# Divided by the root of d / h.
wrong_scaled_by_d_over_h = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(q @ k.mT / math.sqrt(x.shape[-1] // n_head), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""


# Divided by the root of d_v.
wrong_scaled_by_value_width = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(q @ k.mT / math.sqrt(v.shape[-1]), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""


# Softmax over the queries.
wrong_softmax_over_queries = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    q, k, v = split_heads(x @ w_q, n_head), split_heads(memory @ w_k, n_head), split_heads(memory @ w_v, n_head)
    weights = torch.softmax(attention_scores(q, k), dim=-2)
    return merge_heads(weights @ v) @ w_o
"""


# Values from x.
wrong_values_from_x = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


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
