# the MLP reads the block's input instead of the stream after attention
def pre_ln_block(x, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return F.layer_norm(y, (y.shape[-1],), weights[f"{name}.weight"], weights[f"{name}.bias"])

    B, T, d = x.shape
    y = norm("norm_1", x)
    q, k, v = (linear(f"attention.{n}", y).view(B, T, n_head, -1).transpose(1, 2) for n in ("query", "key", "value"))
    heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    attention = linear("attention.projection", heads.transpose(1, 2).reshape(B, T, d))
    mlp = linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))
    return x + attention + mlp
