"""Fresh answers to gpt_forward, part 3 of 4."""


# The last LayerNorm is missing.
wrong_no_last_norm = """
def embed_tokens(tokens, token_table, position_table):
    return token_table[tokens] + position_table[: tokens.shape[1]]


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

    y = layer_norm(x, weights["norm_1.weight"], weights["norm_1.bias"])
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]).to(x.device), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", layer_norm(x, weights["norm_2.weight"], weights["norm_2.bias"]))))


def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(layers):
        start = f"blocks.{i}."
        own = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
    return x @ weights["head.weight"].T
"""


# The last LayerNorm is inside the loop.
wrong_norm_in_every_round = """
def embed_tokens(tokens, token_table, position_table):
    return token_table[tokens] + position_table[: tokens.shape[1]]


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

    y = layer_norm(x, weights["norm_1.weight"], weights["norm_1.bias"])
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]).to(x.device), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", layer_norm(x, weights["norm_2.weight"], weights["norm_2.bias"]))))


def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(layers):
        start = f"blocks.{i}."
        own = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
        x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return x @ weights["head.weight"].T
"""


# Weights are taken out of the dict.
wrong_popped = """
def embed_tokens(tokens, token_table, position_table):
    return token_table[tokens] + position_table[: tokens.shape[1]]


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

    y = layer_norm(x, weights["norm_1.weight"], weights["norm_1.bias"])
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]).to(x.device), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", layer_norm(x, weights["norm_2.weight"], weights["norm_2.bias"]))))


def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(layers):
        start = f"blocks.{i}."
        own = {name.removeprefix(start): weights.pop(name) for name in list(weights) if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return x @ weights["head.weight"].T
"""


# Positions are added before each block.
wrong_positions_twice = """
def embed_tokens(tokens, token_table, position_table):
    return token_table[tokens] + position_table[: tokens.shape[1]]


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

    y = layer_norm(x, weights["norm_1.weight"], weights["norm_1.bias"])
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]).to(x.device), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", layer_norm(x, weights["norm_2.weight"], weights["norm_2.bias"]))))


def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(layers):
        start = f"blocks.{i}."
        own = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x + weights["position_embedding"][: x.shape[1]] * (i > 0), own, n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return x @ weights["head.weight"].T
"""


# The prefix has no dot, so blocks.1 also finds blocks.10.
wrong_prefix_without_dot = """
def embed_tokens(tokens, token_table, position_table):
    return token_table[tokens] + position_table[: tokens.shape[1]]


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

    y = layer_norm(x, weights["norm_1.weight"], weights["norm_1.bias"])
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]).to(x.device), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", layer_norm(x, weights["norm_2.weight"], weights["norm_2.bias"]))))


def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(layers):
        start = f"blocks.{i}"
        own = {name.split(".", 2)[2]: each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return x @ weights["head.weight"].T
"""


# The last block is missing.
wrong_range_one_short = """
def embed_tokens(tokens, token_table, position_table):
    return token_table[tokens] + position_table[: tokens.shape[1]]


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

    y = layer_norm(x, weights["norm_1.weight"], weights["norm_1.bias"])
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    s = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]).to(x.device), -math.inf)
    x = x + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", layer_norm(x, weights["norm_2.weight"], weights["norm_2.bias"]))))


def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = max(int(name.split(".")[1]) for name in weights if name.startswith("blocks."))
    for i in range(layers):
        start = f"blocks.{i}."
        own = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return x @ weights["head.weight"].T
"""


# −100 in place of minus infinity
wrong_minus_hundred = """
def gpt_forward(tokens, weights, n_head):
    def linear(name, y):
        return F.linear(y, weights[name + ".weight"], weights[name + ".bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[name + ".weight"], weights[name + ".bias"])

    B, T = tokens.shape
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][:T]
    for i in range(sum(name.endswith("norm_1.weight") for name in weights)):
        at, y = f"blocks.{i}.", norm(f"blocks.{i}.norm_1", x)
        q, k, v = (linear(f"{at}attention.{n}", y).unflatten(2, (n_head, -1)).transpose(1, 2) for n in ("query", "key", "value"))
        s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(torch.ones(T, T).triu(1).bool(), -100.0)
        x = x + linear(f"{at}attention.projection", (s.softmax(-1) @ v).transpose(1, 2).flatten(2))
        x = x + linear(f"{at}mlp.2", F.gelu(linear(f"{at}mlp.0", norm(f"{at}norm_2", x))))
    return norm("norm", x) @ weights["head.weight"].T
"""


# a causal mask of 32 positions
wrong_mask_of_32 = """
FUTURE = torch.ones(32, 32, dtype=torch.bool).triu(1)


def gpt_forward(tokens, weights, n_head):
    def linear(name, y):
        return F.linear(y, weights[name + ".weight"], weights[name + ".bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[name + ".weight"], weights[name + ".bias"])

    B, T = tokens.shape
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][:T]
    for i in range(sum(name.endswith("norm_1.weight") for name in weights)):
        at, y = f"blocks.{i}.", norm(f"blocks.{i}.norm_1", x)
        q, k, v = (linear(f"{at}attention.{n}", y).unflatten(2, (n_head, -1)).transpose(1, 2) for n in ("query", "key", "value"))
        s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(FUTURE[:T, :T], -math.inf)
        x = x + linear(f"{at}attention.projection", (s.softmax(-1) @ v).transpose(1, 2).flatten(2))
        x = x + linear(f"{at}mlp.2", F.gelu(linear(f"{at}mlp.0", norm(f"{at}norm_2", x))))
    return norm("norm", x) @ weights["head.weight"].T
"""
