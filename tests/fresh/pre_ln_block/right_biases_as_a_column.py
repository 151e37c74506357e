# Biases as one more input that is always 1, for causal_self_attention.
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
