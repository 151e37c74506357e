# adds the branches to the normalised stream
def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return F.layer_norm(y, (y.shape[-1],), weights[f"{name}.weight"], weights[f"{name}.bias"])

    B, T, d = x.shape
    x = norm("norm_1", x)
    q, k, v = (linear(f"attention.{n}", x).view(B, T, n_head, -1).transpose(1, 2) for n in ("query", "key", "value"))
    heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    x = x + linear("attention.projection", heads.transpose(1, 2).reshape(B, T, d))
    x = norm("norm_2", x)
    return x + linear("mlp.2", F.gelu(linear("mlp.0", x)))
