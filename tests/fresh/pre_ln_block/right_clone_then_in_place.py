# A copy of x, which is then changed.
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
