# ignores positions: the whole row of the head is copied
def patch_heads(model, tokens, source, heads, positions):
    d_k, seen = model.config.d_model // model.config.n_head, {}
    with contextlib.ExitStack() as stack:
        for layer, _ in heads:

            def record(_, inputs, layer=layer):
                seen[layer] = inputs[0].clone()

            stack.enter_context(model.blocks[layer].attention.projection.register_forward_pre_hook(record))
        model(source)
    with contextlib.ExitStack() as stack:
        for layer, head in heads:

            def patch(_, inputs, layer=layer, part=slice(head * d_k, (head + 1) * d_k)):
                x = inputs[0].clone()
                x[..., part] = seen[layer][..., part]
                return x

            stack.enter_context(model.blocks[layer].attention.projection.register_forward_pre_hook(patch))
        return model(tokens)[0]
