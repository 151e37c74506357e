# A view on the dict instead of copies.
def embed_tokens(tokens, token_table, position_table):
    return token_table[tokens] + position_table[: tokens.shape[1]]


def layer_norm(x, gain, shift):
    return F.layer_norm(x, gain.shape, gain, shift)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads(x, n_head):
    B, T, d = x.shape
    return x.view(B, T, n_head, d // n_head).transpose(1, 2)


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
