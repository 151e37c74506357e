# The stream is detached between the branches.
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
    x = x.detach() + linear("attention.projection", merge_heads(torch.softmax(s, dim=-1) @ v))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
