"""Fresh answers to pre_ln_block, part 2 of 3."""


# The MLP gets the normalised x from before attention.
wrong_mlp_before = """
def layer_norm(x, gain, shift):
    return F.layer_norm(x, gain.shape, gain, shift)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    before = x
    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", before))))
"""


# The projection after merging is missing.
wrong_no_projection = """
def layer_norm(x, gain, shift):
    return F.layer_norm(x, gain.shape, gain, shift)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = x + merge_heads(torch.softmax(s, dim=-1) @ v)
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""


# The second sum is missing.
wrong_no_residual_of_mlp = """
def layer_norm(x, gain, shift):
    return F.layer_norm(x, gain.shape, gain, shift)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""


# No mask.
wrong_noncausal = """
def layer_norm(x, gain, shift):
    return F.layer_norm(x, gain.shape, gain, shift)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""


# norm_1 is used twice.
wrong_one_norm = """
def layer_norm(x, gain, shift):
    return F.layer_norm(x, gain.shape, gain, shift)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_1", x))))
"""


# Post-LN.
wrong_post_ln = """
def layer_norm(x, gain, shift):
    return F.layer_norm(x, gain.shape, gain, shift)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    q, k, v = (split_heads(linear(f"attention.{name}", x), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = norm("norm_1", x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v)))
    return norm("norm_2", x + linear("mlp.2", F.gelu(linear("mlp.0", x))))
"""


# Queries and keys from x, values from the normalised x.
wrong_query_key_of_x = """
def layer_norm(x, gain, shift):
    return F.layer_norm(x, gain.shape, gain, shift)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y if name == "value" else x), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""


# The MLP's result is added to the x from the start.
wrong_residual_of_start = """
def layer_norm(x, gain, shift):
    return F.layer_norm(x, gain.shape, gain, shift)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def attention_scores(q, k):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    start = x
    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return start + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""


# −100 in place of minus infinity
wrong_minus_hundred = """
def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return F.linear(y, weights[name + ".weight"], weights[name + ".bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[name + ".weight"], weights[name + ".bias"])

    B, T, C = x.shape
    y = norm("norm_1", x)
    q, k, v = (
        linear("attention." + n, y).view(B, T, n_head, C // n_head).transpose(1, 2) for n in ("query", "key", "value")
    )
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    scores = scores.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), -100.0)
    x = x + linear("attention.projection", (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""


# a causal mask of 32 positions
wrong_mask_of_32 = """
FUTURE = torch.ones(32, 32, dtype=torch.bool).triu(1)


def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return F.linear(y, weights[name + ".weight"], weights[name + ".bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[name + ".weight"], weights[name + ".bias"])

    B, T, C = x.shape
    y = norm("norm_1", x)
    q, k, v = (
        linear("attention." + n, y).view(B, T, n_head, C // n_head).transpose(1, 2) for n in ("query", "key", "value")
    )
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    scores = scores.masked_fill(FUTURE[:T, :T], -math.inf)
    x = x + linear("attention.projection", (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""
