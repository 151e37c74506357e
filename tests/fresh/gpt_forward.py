"""Fresh answers to gpt_forward, part 1 of 2."""



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


layer_norm = """
def layer_norm(x, gain, shift):
    return F.layer_norm(x, gain.shape, gain, shift)
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)"""

# A view on the dict instead of copies.
right_chained_dict = """
def embed_tokens(tokens, token_table, position_table):
    return token_table[tokens] + position_table[: tokens.shape[1]]""" + layer_norm + """
class Inside:
    def __init__(self, weights, start):
        self.weights, self.start = weights, start
    def __getitem__(self, name):
        return self.weights[self.start + name]
def gpt_forward(tokens, weights, n_head):
    layers = 1 + max(int(name.split(".")[1]) for name in weights if "blocks" in name)
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    for i in range(layers):
        x = block(x, Inside(weights, f"blocks.{i}."), n_head)
    return layer_norm(x, weights["norm.weight"], weights["norm.bias"]).matmul(weights["head.weight"].t())
def block(x, W, n_head):
    C = x.shape[-1]
    y = F.layer_norm(x, (C,), W["norm_1.weight"], W["norm_1.bias"])
    q, k, v = (split_heads(F.linear(y, W[f"attention.{n}.weight"], W[f"attention.{n}.bias"]), n_head) for n in ("query", "key", "value"))
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    x = x + F.linear(merge_heads(y), W["attention.projection.weight"], W["attention.projection.bias"])
    y = F.layer_norm(x, (C,), W["norm_2.weight"], W["norm_2.bias"])
    return x + F.linear(F.gelu(F.linear(y, W["mlp.0.weight"], W["mlp.0.bias"])), W["mlp.2.weight"], W["mlp.2.bias"])
"""

# The course's own model, called with these weights.
right_course_model = """
from kqa_core.model import GPT, GPTConfig
def gpt_forward(tokens, weights, n_head):
    vocab_size, width = weights["token_embedding.weight"].shape
    n_layer = sum(name.endswith("norm_1.weight") for name in weights)
    block_size = weights["position_embedding"].shape[0]
    model = GPT(GPTConfig(vocab_size=vocab_size, block_size=block_size, n_layer=n_layer, n_head=n_head, d_model=width)).eval()
    return torch.func.functional_call(model, dict(weights), (tokens,))[0]
"""

# Names are grouped by a regular expression.
right_grouped_by_regex = embed_tokens + r"""
import re
from collections import defaultdict
def gpt_forward(tokens, weights, n_head):
    blocks = defaultdict(dict)
    for name, weight in weights.items():
        found = re.fullmatch(r"blocks\.(\d+)\.(.+)", name)
        if found:
            blocks[int(found[1])][found[2]] = weight
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    for number in range(len(blocks)):
        x = pre_ln_block(x, blocks[number], n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return (x.unsqueeze(-2) * weights["head.weight"]).sum(-1)
"""

# Recursion over the blocks.
right_recursion = layer_norm + """
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
    numbers = sorted({int(name.split(".")[1]) for name in weights if name.startswith("blocks.")})
    def stream(depth):
        if depth == 0:
            return weights["token_embedding.weight"][tokens] + weights["position_embedding"][: tokens.size(1)]
        start = f"blocks.{numbers[depth - 1]}."
        return pre_ln_block(stream(depth - 1), {n.replace(start, "", 1): w for n, w in weights.items() if n.startswith(start)}, n_head)
    y = F.layer_norm(stream(len(numbers)), (weights["norm.weight"].numel(),), weights["norm.weight"], weights["norm.bias"])
    return torch.einsum("btd,vd->btv", y, weights["head.weight"])
"""

# Blocks are taken while there is another one.
right_while_loop = embed_tokens + """
def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    i = 0
    while any(name.startswith(f"blocks.{i}.") for name in weights):
        inside = {}
        for name in weights:
            if name.startswith(f"blocks.{i}."):
                inside[name[len(f"blocks.{i}.") :]] = weights[name]
        x = pre_ln_block(x, inside, n_head)
        i += 1
    return F.linear(layer_norm(x, weights["norm.weight"], weights["norm.bias"]), weights["head.weight"])
"""

# recursion over the blocks, everything by hand, numbers of blocks sorted as integers
def right_second_recursion_by_hand(tokens, weights, n_head):
    """The logits (B, T, n_vocab) of a GPT with the weights of a checkpoint, for tokens (B, T)."""
    T = tokens.size(1)
    numbers = sorted({int(name.split(".")[1]) for name in weights.keys() if name.split(".")[0] == "blocks"})
    def norm(y, name):
        y = y - y.mean(dim=-1, keepdim=True)
        return y / (y.var(dim=-1, correction=0, keepdim=True) + 1e-5).sqrt() * weights[name + ".weight"] + weights[name + ".bias"]
    def linear(y, name):
        return torch.einsum("bti,oi->bto", y, weights[name + ".weight"]) + weights[name + ".bias"]
    def attend(y, name):
        q, k, v = (linear(y, name + part).unflatten(2, (n_head, -1)) for part in ("query", "key", "value"))
        scores = torch.einsum("bthc,bihc->bhti", q, k) * q.shape[-1] ** -0.5
        allowed = torch.arange(T, device=y.device)[:, None] >= torch.arange(T, device=y.device)
        shares = torch.softmax(torch.where(allowed, scores, -math.inf), dim=-1)
        return linear(torch.einsum("bhti,bihc->bthc", shares, v).flatten(2), name + "projection")
    def run(x, left):
        if not left:
            return x
        name = f"blocks.{left[0]}."
        x = x + attend(norm(x, name + "norm_1"), name + "attention.")
        h = linear(norm(x, name + "norm_2"), name + "mlp.0")
        return run(x + linear(h * torch.special.ndtr(h), name + "mlp.2"), left[1:])
    start = weights["token_embedding.weight"][tokens] + weights["position_embedding"][None, :T]
    return norm(run(start, numbers), "norm") @ weights["head.weight"].transpose(0, 1)

# a while loop that asks for the next block, one dict per block, torch functions
def right_second_while_next_block(tokens, weights, n_head):
    def w(name):
        return weights[f"{name}.weight"], weights.get(f"{name}.bias")
    def branch_attention(prefix, y):
        parts = (F.linear(y, *w(prefix + part)) for part in ("query", "key", "value"))
        q, k, v = (torch.stack(part.chunk(n_head, dim=-1), dim=1) for part in parts)
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return F.linear(torch.cat(heads.unbind(1), dim=-1), *w(prefix + "projection"))
    positions = torch.arange(tokens.shape[-1], device=tokens.device)
    stream = F.embedding(tokens, weights["token_embedding.weight"]) + F.embedding(positions, weights["position_embedding"])
    block = 0
    while f"blocks.{block}.norm_1.weight" in weights:
        name = f"blocks.{block}."
        stream = stream + branch_attention(name + "attention.", F.layer_norm(stream, stream.shape[-1:], *w(name + "norm_1")))
        hidden = F.linear(F.layer_norm(stream, stream.shape[-1:], *w(name + "norm_2")), *w(name + "mlp.0"))
        stream = stream + F.linear(F.gelu(hidden), *w(name + "mlp.2"))
        block += 1
    return F.linear(F.layer_norm(stream, stream.shape[-1:], *w("norm")), weights["head.weight"])

# Numbers are sorted as strings.
wrong_as_strings = embed_tokens + """
def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in sorted(map(str, range(layers))):
        start = f"blocks.{i}."
        own = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return x @ weights["head.weight"].T
"""

# At most twelve blocks.
wrong_at_most_twelve = embed_tokens + """
def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(min(layers, 12)):
        start = f"blocks.{i}."
        own = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return x @ weights["head.weight"].T
"""

# Embedding dropout, always on.
wrong_embedding_dropout = embed_tokens + """
def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    x = F.dropout(x, 0.1)
    layers = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(layers):
        start = f"blocks.{i}."
        own = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return x @ weights["head.weight"].T
"""

# The last LayerNorm has no shift.
wrong_gain_alone = embed_tokens + """
def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(layers):
        start = f"blocks.{i}."
        own = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
    x = layer_norm(x, weights["norm.weight"], 0 * weights["norm.bias"])
    return x @ weights["head.weight"].T
"""

# Logits of the last position alone.
wrong_last_position = embed_tokens + """
def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(layers):
        start = f"blocks.{i}."
        own = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return x[:, -1:] @ weights["head.weight"].T
"""

# Logarithms of probabilities.
wrong_log_softmax = embed_tokens + """
def gpt_forward(tokens, weights, n_head):
    x = embed_tokens(tokens, weights["token_embedding.weight"], weights["position_embedding"])
    layers = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    for i in range(layers):
        start = f"blocks.{i}."
        own = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        x = pre_ln_block(x, own, n_head)
    x = layer_norm(x, weights["norm.weight"], weights["norm.bias"])
    return torch.log_softmax(x @ weights["head.weight"].T, dim=-1)
"""

# Computed without gradients.
wrong_no_grad = embed_tokens + """
@torch.no_grad()
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

# scores are cut off at ±50
wrong_scores_cut_off = """
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
        s = (q @ k.mT / math.sqrt(q.shape[-1])).clamp(-50, 50)
        s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
        x = x + linear(f"{at}attention.projection", (s.softmax(-1) @ v).transpose(1, 2).flatten(2))
        x = x + linear(f"{at}mlp.2", F.gelu(linear(f"{at}mlp.0", norm(f"{at}norm_2", x))))
    return norm("norm", x) @ weights["head.weight"].T
"""

# The last LayerNorm is missing.
wrong_no_last_norm = embed_tokens + """
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
wrong_norm_in_every_round = embed_tokens + """
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
wrong_popped = embed_tokens + """
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
wrong_positions_twice = embed_tokens + """
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
