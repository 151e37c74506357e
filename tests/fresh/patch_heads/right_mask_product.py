# a float mask mixes the two rows
def patch_heads(model, tokens, source, heads, positions):
    c = model.config
    d_k, T = c.d_model // c.n_head, tokens.shape[1]
    kept = []
    with contextlib.ExitStack() as stack:
        for block in model.blocks:
            stack.enter_context(block.attention.projection.register_forward_pre_hook(lambda m, i: kept.append(i[0])))
        model(source)
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            mask = torch.zeros(T, c.d_model)
            for t, (l, j) in itertools.product(positions, heads):
                if l == layer:
                    mask[t, j * d_k : (j + 1) * d_k] = 1
            stack.enter_context(
                block.attention.projection.register_forward_pre_hook(
                    lambda m, i, mask=mask, old=kept[layer]: i[0] * (1 - mask) + old * mask
                )
            )
        return model(tokens)[0]
