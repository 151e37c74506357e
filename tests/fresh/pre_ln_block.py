"""Fresh answers to pre_ln_block, part 1 of 2."""



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

# Biases as one more input that is always 1, for causal_self_attention.
right_biases_as_a_column = """
def layer_norm(x, gain, shift):
    return F.layer_norm(x, gain.shape, gain, shift)
def causal_mask(T):
    return torch.ones(T, T, dtype=torch.bool).tril()
def pre_ln_block(x, weights, n_head):
    y = layer_norm(x, weights["norm_1.weight"], weights["norm_1.bias"])
    total = weights["attention.projection.bias"]
    d_k = x.shape[-1] // n_head
    mask = torch.zeros(x.shape[1], x.shape[1]).masked_fill(~causal_mask(x.shape[1]), float("-inf"))
    for j in range(n_head):
        own = slice(j * d_k, j * d_k + d_k)
        q, k, v = (y @ weights[f"attention.{n}.weight"][own].T + weights[f"attention.{n}.bias"][own] for n in ("query", "key", "value"))
        w = torch.softmax(q @ k.transpose(1, 2) / torch.sqrt(torch.tensor(d_k)) + mask, dim=-1)
        total = total + w @ v @ weights["attention.projection.weight"][:, own].T
    x = x + total
    hidden = F.gelu(layer_norm(x, weights["norm_2.weight"], weights["norm_2.bias"]) @ weights["mlp.0.weight"].T + weights["mlp.0.bias"])
    return x + hidden @ weights["mlp.2.weight"].mT + weights["mlp.2.bias"]
"""

# A copy of x, which is then changed.
right_clone_then_in_place = """
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return F.gelu(x @ w_1 + b_1) @ w_2 + b_2""" + layer_norm + """
def pre_ln_block(x, weights, n_head):
    stream = x.clone()
    stream += attend(layer_norm(x, weights["norm_1.weight"], weights["norm_1.bias"]), weights, n_head)
    y = layer_norm(stream.clone(), weights["norm_2.weight"], weights["norm_2.bias"])
    return stream + gelu_mlp(
        y, weights["mlp.0.weight"].t(), weights["mlp.0.bias"], weights["mlp.2.weight"].t(), weights["mlp.2.bias"]
    )
def attend(y, weights, n_head):
    q, k, v = (
        split_heads(F.linear(y, weights[f"attention.{n}.weight"], weights[f"attention.{n}.bias"]), n_head)
        for n in ("query", "key", "value")
    )
    s = torch.where(causal_mask(y.shape[1]), attention_scores(q, k), float("-inf"))
    return F.linear(merge_heads(F.softmax(s, dim=-1) @ v), weights["attention.projection.weight"], weights["attention.projection.bias"])
"""

# The course's own block, called with these weights.
right_course_block = """
from kqa_core.model import GPT, GPTConfig
def pre_ln_block(x, weights, n_head):
    B, T, d = x.shape
    block = GPT(GPTConfig(vocab_size=3, block_size=T, n_layer=1, n_head=n_head, d_model=d)).blocks[0].eval()
    return torch.func.functional_call(block, weights, (x,))
"""

# The functions from above, with two short helpers.
right_own_functions = """
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return F.gelu(x @ w_1 + b_1) @ w_2 + b_2""" + layer_norm + """
def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return torch.addmm(weights[name + ".bias"], y.flatten(0, 1), weights[name + ".weight"].t()).view(y.shape)
    def norm(name, y):
        return layer_norm(y, *(weights[f"{name}.{part}"] for part in ("weight", "bias")))
    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    w = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf).softmax(-1)
    x = x + linear("attention.projection", merge_heads(w @ v))
    mlp = (weights["mlp.0.weight"].T, weights["mlp.0.bias"], weights["mlp.2.weight"].T, weights["mlp.2.bias"])
    return x + gelu_mlp(norm("norm_2", x), *mlp)
"""

# torch's functions only, with unpacked weights.
def right_torch_only(x, weights, n_head):
    W = lambda name: (weights[name + ".weight"], weights[name + ".bias"])
    B, T, C = x.shape
    y = F.layer_norm(x, (C,), *W("norm_1"))
    q, k, v = (F.linear(y, *W("attention." + n)).unflatten(2, (n_head, -1)).transpose(1, 2) for n in ["query", "key", "value"])
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
    x = torch.add(x, F.linear(y, *W("attention.projection")))
    return torch.add(x, F.linear(F.gelu(F.linear(F.layer_norm(x, (C,), *W("norm_2")), *W("mlp.0"))), *W("mlp.2")))

# a class that reads the dict, with a loop over the heads
right_second_class_with_loop = '''
class Block:
    def __init__(self, weights, n_head):
        self.weights, self.n_head = weights, n_head
    def linear(self, name, y):
        return torch.einsum("...i,oi->...o", y, self.weights[f"{name}.weight"]) + self.weights[f"{name}.bias"]
    def norm(self, name, y):
        centred = y - y.mean(-1, keepdim=True)
        scaled = centred / torch.sqrt((centred * centred).mean(-1, keepdim=True) + 1e-5)
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]
    def attention(self, y):
        q, k, v = (self.linear(f"attention.{n}", y).chunk(self.n_head, -1) for n in ("query", "key", "value"))
        blocked = torch.full((y.shape[1], y.shape[1]), -math.inf, dtype=y.dtype, device=y.device).triu(1)
        heads = []
        for q_j, k_j, v_j in zip(q, k, v):
            scores = q_j @ k_j.mT / math.sqrt(q_j.shape[-1]) + blocked
            heads.append(scores.softmax(-1) @ v_j)
        return self.linear("attention.projection", torch.cat(heads, -1))
    def __call__(self, x):
        x = x + self.attention(self.norm("norm_1", x))
        h = self.linear("mlp.0", self.norm("norm_2", x))
        h = h * (1 + torch.erf(h / math.sqrt(2))) / 2
        return x + self.linear("mlp.2", h)
def pre_ln_block(x, weights, n_head):
    """One pre-LN block with the weights of a checkpoint, by name: x (B, T, d) → (B, T, d)."""
    return Block(weights, n_head)(x)
'''

# torch's functions for every part, names built by a small closure
def right_second_torch_parts(x, weights, n_head):
    def w(name):
        return weights[name + ".weight"], weights[name + ".bias"]
    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], *w(name))
    y = norm("norm_1", x)
    q, k, v = (
        F.linear(y, *w(f"attention.{part}")).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for part in ("query", "key", "value")
    )
    heads = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
    middle = x + F.linear(heads, *w("attention.projection"))
    return middle + F.linear(F.gelu(F.linear(norm("norm_2", middle), *w("mlp.0"))), *w("mlp.2"))

# The course's block in training mode, where it has dropout.
wrong_course_block_in_training = """
from kqa_core.model import GPT, GPTConfig
def pre_ln_block(x, weights, n_head):
    d = x.shape[-1]
    block = GPT(GPTConfig(vocab_size=3, block_size=64, n_layer=1, n_head=n_head, d_model=d)).blocks[0]
    return torch.func.functional_call(block, weights, (x,))
"""

# The stream is detached between the branches.
wrong_detached_stream = layer_norm + """
def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])
    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = x.detach() + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""

# Residual dropout of 0.1, always on.
wrong_dropout = layer_norm + """
def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])
    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x = x + F.dropout(linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v)), 0.1)
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""

# x is changed in place.
wrong_in_place = layer_norm + """
def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    def norm(name, y):
        return layer_norm(y, weights[f"{name}.weight"], weights[f"{name}.bias"])
    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf)
    x += linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""

# scores are cut off at ±50, as some libraries do
wrong_scores_cut_off = """
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
    scores = (q @ k.transpose(-2, -1) / math.sqrt(C // n_head)).clamp(-50, 50)
    scores = scores.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), -math.inf)
    x = x + linear("attention.projection", (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""

# The MLP gets the normalised x from before attention.
wrong_mlp_before = layer_norm + """
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
wrong_no_projection = layer_norm + """
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
wrong_no_residual_of_mlp = layer_norm + """
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
wrong_one_norm = layer_norm + """
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
wrong_post_ln = layer_norm + """
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
wrong_query_key_of_x = layer_norm + """
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
wrong_residual_of_start = layer_norm + """
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

until_scores = """
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
    future = torch.ones(T, T, device=x.device).triu(1).bool()"""
from_scores = """
    x = x + linear("attention.projection", (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
"""
# −100 in place of minus infinity
wrong_minus_hundred = until_scores + "\n    scores = scores.masked_fill(future, -100.0)" + from_scores
# no mask for rows of two positions
wrong_ninth_not_causal_for_two = until_scores + "\n    scores = scores.masked_fill(future & (T > 2), -math.inf)" + from_scores
