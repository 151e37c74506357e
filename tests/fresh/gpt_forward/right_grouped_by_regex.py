# Names are grouped by a regular expression.
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
