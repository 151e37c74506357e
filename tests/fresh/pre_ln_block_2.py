"""Fresh answers to pre_ln_block, part 2 of 2."""



layer_norm = """
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
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])"""

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

# The mask of the first call is kept.
wrong_sizes_kept = layer_norm + """
masks = []
def first_mask(T):
    if not masks:
        masks.append(causal_mask(T))
    return masks[0][:T, :T]
def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])
    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~first_mask(x.shape[1]), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""

# GELU by its approximation.
wrong_tanh_gelu = layer_norm + """
def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])
    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x)), approximate="tanh"))
"""

# Two heads, whatever n_head is.
wrong_two_heads = layer_norm + """
def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])
    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), 2) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""

# Heads are split by a single view.
wrong_view = """
def layer_norm(x, gain, shift):
    return F.layer_norm(x, gain.shape, gain, shift)
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
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
    q, k, v = (linear(f"attention.{name}", y).view(x.shape[0], n_head, x.shape[1], -1) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""

# Used weights are taken out of the dict.
wrong_weights_popped = layer_norm + """
def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights.pop(f"{name}.weight").T + weights.pop(f"{name}.bias")
    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])
    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""

# The dict gets transposed weights and keeps them.
wrong_weights_transposed_in_dict = layer_norm + """
def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"] + weights[f"{name}.bias"]
    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])
    for name in weights:
        if weights[name].dim() == 2:
            weights[name] = weights[name].T
    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""

# adds the branches to the normalised stream
def wrong_second_adds_to_normed(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    def norm(name, y):
        return F.layer_norm(y, (y.shape[-1],), weights[f"{name}.weight"], weights[f"{name}.bias"])
    B, T, d = x.shape
    x = norm("norm_1", x)
    q, k, v = (linear(f"attention.{n}", x).view(B, T, n_head, -1).transpose(1, 2) for n in ("query", "key", "value"))
    heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    x = x + linear("attention.projection", heads.transpose(1, 2).reshape(B, T, d))
    x = norm("norm_2", x)
    return x + linear("mlp.2", F.gelu(linear("mlp.0", x)))

# uses norm_1 before the MLP as well
def wrong_second_first_norm_twice(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    def norm(y):
        return F.layer_norm(y, (y.shape[-1],), weights["norm_1.weight"], weights["norm_1.bias"])
    B, T, d = x.shape
    y = norm(x)
    q, k, v = (linear(f"attention.{n}", y).view(B, T, n_head, -1).transpose(1, 2) for n in ("query", "key", "value"))
    heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    x = x + linear("attention.projection", heads.transpose(1, 2).reshape(B, T, d))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm(x))))

# x is scaled in place and scaled back, up to rounding.
wrong_second_in_place = layer_norm + """
def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])
    y = norm("norm_1", x)
    x.mul_(1.001)
    x.div_(1.001)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""

# the MLP reads the block's input instead of the stream after attention
def wrong_second_parallel_branches(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    def norm(name, y):
        return F.layer_norm(y, (y.shape[-1],), weights[f"{name}.weight"], weights[f"{name}.bias"])
    B, T, d = x.shape
    y = norm("norm_1", x)
    q, k, v = (linear(f"attention.{n}", y).view(B, T, n_head, -1).transpose(1, 2) for n in ("query", "key", "value"))
    heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    attention = linear("attention.projection", heads.transpose(1, 2).reshape(B, T, d))
    mlp = linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
    return x + attention + mlp


# Epsilon 1e-12: another result for tokens whose components hardly differ.
def wrong_eps(x, weights, n_head):
    def lin(n, y):
        return y @ weights[n + ".weight"].T + weights[n + ".bias"]
    def ln(n, y):
        return F.layer_norm(y, (y.shape[-1],), weights[n + ".weight"], weights[n + ".bias"], 1e-12)
    B, T, d = x.shape
    y = ln("norm_1", x)
    q, k, v = (lin("attention." + n, y).view(B, T, n_head, d // n_head).transpose(1, 2) for n in ("query", "key", "value"))
    s = q @ k.transpose(-2, -1) / math.sqrt(d // n_head)
    mask = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    a = torch.softmax(s.masked_fill(~mask, -math.inf), dim=-1)
    y = (a @ v).transpose(1, 2).reshape(B, T, d)
    x = x + lin("attention.projection", y)
    h = F.gelu(lin("mlp.0", ln("norm_2", x)))
    x = x + lin("mlp.2", h)
    return x


# The second LayerNorm has another epsilon.
def wrong_fourth_second_epsilon(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    y = F.layer_norm(x, x.shape[-1:], weights["norm_1.weight"], weights["norm_1.bias"])
    q, k, v = (
        linear(f"attention.{name}", y).unflatten(-1, (n_head, -1)).transpose(1, 2) for name in ("query", "key", "value")
    )
    x = x + linear("attention.projection", F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))
    y = F.layer_norm(x, x.shape[-1:], weights["norm_2.weight"], weights["norm_2.bias"], eps=1e-6)
    return x + linear("mlp.2", F.gelu(linear("mlp.0", y)))


# Scores are cut at 500.
def wrong_fourth_cut(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    y = F.layer_norm(x, x.shape[-1:], weights["norm_1.weight"], weights["norm_1.bias"])
    q, k, v = (
        linear(f"attention.{name}", y).unflatten(-1, (n_head, -1)).transpose(1, 2) for name in ("query", "key", "value")
    )
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).clamp(-500, 500)
    future = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
    read = scores.masked_fill(future, -math.inf).softmax(-1) @ v
    x = x + linear("attention.projection", read.transpose(1, 2).flatten(2))
    y = F.layer_norm(x, x.shape[-1:], weights["norm_2.weight"], weights["norm_2.bias"])
    return x + linear("mlp.2", F.gelu(linear("mlp.0", y)))


# −10⁹ is not below every score.
def wrong_fifth_billion(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    y = F.layer_norm(x, x.shape[-1:], weights["norm_1.weight"], weights["norm_1.bias"])
    q, k, v = (
        linear(f"attention.{name}", y).unflatten(-1, (n_head, -1)).transpose(1, 2) for name in ("query", "key", "value")
    )
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    future = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
    read = scores.masked_fill(future, -1e9).softmax(-1) @ v
    x = x + linear("attention.projection", read.transpose(1, 2).flatten(2))
    y = F.layer_norm(x, x.shape[-1:], weights["norm_2.weight"], weights["norm_2.bias"])
    return x + linear("mlp.2", F.gelu(linear("mlp.0", y)))


# masks with −1000
def wrong_fifth_thousand(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        y = y - y.mean(dim=-1, keepdim=True)
        y = y / torch.sqrt(y.pow(2).mean(dim=-1, keepdim=True) + 1e-5)
        return y * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    B, T, d = x.shape
    d_k = d // n_head
    y = norm("norm_1", x)
    q, k, v = (
        linear(f"attention.{name}", y).view(B, T, n_head, d_k).transpose(1, 2)
        for name in ("query", "key", "value")
    )
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_k)
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    heads = torch.softmax(scores.masked_fill(later, -1000.0), dim=-1) @ v
    x = x + linear("attention.projection", heads.transpose(1, 2).reshape(B, T, d))
    y = norm("norm_2", x)
    return x + linear("mlp.2", F.gelu(linear("mlp.0", y)))


# The weights of the first call are kept.
wrong_seventh_kept_weights = """
kept = {}


def pre_ln_block(x, weights, n_head):
    if kept.setdefault(x.shape[-1], weights)["norm_1.weight"].dtype == x.dtype:
        weights = kept[x.shape[-1]]
    B, T, d = x.shape

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, y):
        return F.layer_norm(y, (d,), weights[f"{name}.weight"], weights[f"{name}.bias"])

    y = norm("norm_1", x)
    names = ("attention.query", "attention.key", "attention.value")
    q, k, v = (linear(name, y).view(B, T, n_head, -1).transpose(1, 2) for name in names)
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    x = x + linear("attention.projection", y.transpose(1, 2).flatten(2))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""
