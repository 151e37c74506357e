"""Fresh answers to gpt_forward, part 2 of 2."""



embed_tokens = """
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
    return x + linear("mlp.2", F.gelu(linear("mlp.0", layer_norm(x, weights["norm_2.weight"], weights["norm_2.bias"]))))"""

# The prefix has no dot, so blocks.1 also finds blocks.10.
wrong_prefix_without_dot = embed_tokens + """
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
wrong_range_one_short = embed_tokens + """
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

# The weights of the blocks are kept from the first call.
wrong_reused_weights = embed_tokens + """
saved = {}
def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(layers):
        start = f"blocks.{i}."
        own = saved.setdefault(i, None) or {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        saved[i] = own
        x = pre_ln_block(x, own, n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return x @ weights["head.weight"].T
"""

# Block 0 every time.
wrong_shared_block = embed_tokens + """
def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(layers):
        start = "blocks.0."
        own = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return x @ weights["head.weight"].T
"""

# The number of blocks is read from one digit.
wrong_single_digit = embed_tokens + """
def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = 1 + max(int(name[7]) for name in weights if name.startswith("blocks."))
    for i in range(layers):
        start = f"blocks.{i}."
        own = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return x @ weights["head.weight"].T
"""

# The token table as the output head.
wrong_tied = embed_tokens + """
def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(layers):
        start = f"blocks.{i}."
        own = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return x @ weights["token_embedding.weight"].T
"""

# Always two blocks.
wrong_two_blocks = embed_tokens + """
def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = 2
    for i in range(layers):
        start = f"blocks.{i}."
        own = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return x @ weights["head.weight"].T
"""

# the largest number in the names is taken for the number of blocks, so the last block is missing
def wrong_second_last_block_missing(tokens, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    def norm(name, y):
        return F.layer_norm(y, (y.shape[-1],), weights[f"{name}.weight"], weights[f"{name}.bias"])
    B, T = tokens.shape
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][:T]
    n_layer = max(int(name.split(".")[1]) for name in weights if name.startswith("blocks."))
    for i in range(n_layer):
        y = norm(f"blocks.{i}.norm_1", x)
        q, k, v = (
            linear(f"blocks.{i}.attention.{n}", y).view(B, T, n_head, -1).transpose(1, 2)
            for n in ("query", "key", "value")
        )
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + linear(f"blocks.{i}.attention.projection", heads)
        x = x + linear(f"blocks.{i}.mlp.2", F.gelu(linear(f"blocks.{i}.mlp.0", norm(f"blocks.{i}.norm_2", x))))
    return norm("norm", x) @ weights["head.weight"].T

# reads one digit of the number of a block: right for up to ten blocks
def wrong_second_one_digit(tokens, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    def norm(name, y):
        return F.layer_norm(y, (y.shape[-1],), weights[f"{name}.weight"], weights[f"{name}.bias"])
    B, T = tokens.shape
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][:T]
    n_layer = len({name[7] for name in weights if name.startswith("blocks.")})
    for i in range(n_layer):
        y = norm(f"blocks.{i}.norm_1", x)
        q, k, v = (
            linear(f"blocks.{i}.attention.{n}", y).view(B, T, n_head, -1).transpose(1, 2)
            for n in ("query", "key", "value")
        )
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + linear(f"blocks.{i}.attention.projection", heads)
        x = x + linear(f"blocks.{i}.mlp.2", F.gelu(linear(f"blocks.{i}.mlp.0", norm(f"blocks.{i}.norm_2", x))))
    return norm("norm", x) @ weights["head.weight"].T

# takes the output head out of the caller's dict
def wrong_second_takes_out_head(tokens, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    def norm(name, y):
        return F.layer_norm(y, (y.shape[-1],), weights[f"{name}.weight"], weights[f"{name}.bias"])
    B, T = tokens.shape
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][:T]
    n_layer = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(n_layer):
        y = norm(f"blocks.{i}.norm_1", x)
        q, k, v = (
            linear(f"blocks.{i}.attention.{n}", y).view(B, T, n_head, -1).transpose(1, 2)
            for n in ("query", "key", "value")
        )
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + linear(f"blocks.{i}.attention.projection", heads)
        x = x + linear(f"blocks.{i}.mlp.2", F.gelu(linear(f"blocks.{i}.mlp.0", norm(f"blocks.{i}.norm_2", x))))
    head = weights.pop("head.weight")
    return norm("norm", x) @ head.T


# Blocks in the order in which the dict lists them: wrong when the dict is not in order.
def wrong_dict_order(tokens, weights, n_head):
    def lin(n, y):
        return y @ weights[n + ".weight"].T + weights[n + ".bias"]
    def ln(n, y):
        return F.layer_norm(y, (y.shape[-1],), weights[n + ".weight"], weights[n + ".bias"], 1e-5)
    B, T = tokens.shape
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][:T]
    d = x.shape[-1]
    mask = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    for i in dict.fromkeys(n.split('.')[1] for n in weights if n.startswith('blocks.')):
        p = f"blocks.{i}."
        y = ln(p + "norm_1", x)
        q, k, v = (lin(p + "attention." + n, y).view(B, T, n_head, d // n_head).transpose(1, 2) for n in ("query", "key", "value"))
        s = (q @ k.transpose(-2, -1) / math.sqrt(d // n_head)).masked_fill(~mask, -math.inf)
        x = x + lin(p + "attention.projection", (torch.softmax(s, dim=-1) @ v).transpose(1, 2).reshape(B, T, d))
        x = x + lin(p + "mlp.2", F.gelu(lin(p + "mlp.0", ln(p + "norm_2", x))))
    return ln("norm", x) @ weights["head.weight"].T


# −10⁹ is not below every score.
def wrong_fifth_billion(tokens, weights, n_head):
    def lin(n, y):
        return y @ weights[n + ".weight"].T + weights[n + ".bias"]

    def ln(n, y):
        return F.layer_norm(y, (y.shape[-1],), weights[n + ".weight"], weights[n + ".bias"], 1e-5)

    B, T = tokens.shape
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][:T]
    mask = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    for i in range(len({n.split(".")[1] for n in weights if n.startswith("blocks.")})):
        p = f"blocks.{i}."
        y = ln(p + "norm_1", x)
        q, k, v = (lin(p + "attention." + n, y).view(B, T, n_head, -1).transpose(1, 2) for n in ("query", "key", "value"))
        s = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -1e9)
        x = x + lin(p + "attention.projection", (s.softmax(-1) @ v).transpose(1, 2).flatten(2))
        x = x + lin(p + "mlp.2", F.gelu(lin(p + "mlp.0", ln(p + "norm_2", x))))
    return ln("norm", x) @ weights["head.weight"].T
