# uses norm_1 before the MLP as well
def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(y):
        return F.layer_norm(y, (y.shape[-1],), weights["norm_1.weight"], weights["norm_1.bias"])

    B, T, d = x.shape
    y = norm(x)
    q, k, v = (linear(f"attention.{n}", y).view(B, T, n_head, -1).transpose(1, 2) for n in ("query", "key", "value"))
    heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    x = x + linear("attention.projection", heads.transpose(1, 2).reshape(B, T, d))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm(x))))
