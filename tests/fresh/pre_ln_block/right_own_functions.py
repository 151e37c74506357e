# The functions from above, with two short helpers.
def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return F.gelu(x @ w_1 + b_1) @ w_2 + b_2


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
        return torch.addmm(weights[name + ".bias"], y.flatten(0, 1), weights[name + ".weight"].t()).view(y.shape)

    def norm(name, y):
        return layer_norm(y, *(weights[f"{name}.{part}"] for part in ("weight", "bias")))

    y = norm("norm_1", x)
    q, k, v = (split_heads(linear(f"attention.{name}", y), n_head) for name in ("query", "key", "value"))
    w = attention_scores(q, k).masked_fill(~causal_mask(x.shape[1]), -math.inf).softmax(-1)
    x = x + linear("attention.projection", merge_heads(w @ v))
    mlp = (weights["mlp.0.weight"].T, weights["mlp.0.bias"], weights["mlp.2.weight"].T, weights["mlp.2.bias"])
    return x + gelu_mlp(norm("norm_2", x), *mlp)
