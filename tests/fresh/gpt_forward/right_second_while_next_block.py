# a while loop that asks for the next block, one dict per block, torch functions
def gpt_forward(tokens, weights, n_head):
    def w(name):
        return weights[f"{name}.weight"], weights.get(f"{name}.bias")

    def branch_attention(prefix, y):
        parts = (F.linear(y, *w(prefix + part)) for part in ("query", "key", "value"))
        q, k, v = (torch.stack(part.chunk(n_head, dim=-1), dim=1) for part in parts)
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return F.linear(torch.cat(heads.unbind(1), dim=-1), *w(prefix + "projection"))

    positions = torch.arange(tokens.shape[-1], device=tokens.device)
    stream = F.embedding(tokens, weights["token_embedding.weight"]) + F.embedding(positions, weights["position_embedding"])
    block = 0
    while f"blocks.{block}.norm_1.weight" in weights:
        name = f"blocks.{block}."
        stream = stream + branch_attention(name + "attention.", F.layer_norm(stream, stream.shape[-1:], *w(name + "norm_1")))
        hidden = F.linear(F.layer_norm(stream, stream.shape[-1:], *w(name + "norm_2")), *w(name + "mlp.0"))
        stream = stream + F.linear(F.gelu(hidden), *w(name + "mlp.2"))
        block += 1
    return F.linear(F.layer_norm(stream, stream.shape[-1:], *w("norm")), weights["head.weight"])
