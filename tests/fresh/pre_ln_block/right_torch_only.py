# torch's functions only, with unpacked weights.
def pre_ln_block(x, weights, n_head):
    W = lambda name: (weights[name + ".weight"], weights[name + ".bias"])
    B, T, C = x.shape
    y = F.layer_norm(x, (C,), *W("norm_1"))
    q, k, v = (F.linear(y, *W("attention." + n)).unflatten(2, (n_head, -1)).transpose(1, 2) for n in ["query", "key", "value"])
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
    x = torch.add(x, F.linear(y, *W("attention.projection")))
    return torch.add(x, F.linear(F.gelu(F.linear(F.layer_norm(x, (C,), *W("norm_2")), *W("mlp.0"))), *W("mlp.2")))
