# torch's functions for every part, names built by a small closure
def pre_ln_block(x, weights, n_head):
    def w(name):
        return weights[name + ".weight"], weights[name + ".bias"]

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], *w(name))

    y = norm("norm_1", x)
    q, k, v = (
        F.linear(y, *w(f"attention.{part}")).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for part in ("query", "key", "value")
    )
    heads = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
    middle = x + F.linear(heads, *w("attention.projection"))
    return middle + F.linear(F.gelu(F.linear(norm("norm_2", middle), *w("mlp.0"))), *w("mlp.2"))
