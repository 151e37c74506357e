# patches from the first to the last position, with those between
def patch_heads(model, tokens, source, heads, positions):
    d_k = model.config.d_model // model.config.n_head
    stored = {}
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            def record(module, inputs, layer=layer):
                stored[layer] = inputs[0].clone()

            stack.enter_context(block.attention.projection.register_forward_pre_hook(record))
        model(source)
    if not positions:
        return model(tokens)[0]
    span = slice(min(positions), max(positions) + 1)
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            def write(module, inputs, layer=layer):
                merged = inputs[0].clone()
                for l, j in heads:
                    if l == layer:
                        part = slice(j * d_k, (j + 1) * d_k)
                        merged[:, span, part] = stored[layer][:, span, part]
                return merged

            stack.enter_context(block.attention.projection.register_forward_pre_hook(write))
        return model(tokens)[0]
