# every row gets the outputs of row 0 of the source
def patch_heads(model, tokens, source, heads, positions):
    d_k = model.config.d_model // model.config.n_head
    stored = {}
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            def record(module, inputs, layer=layer):
                stored[layer] = inputs[0][0].clone()

            stack.enter_context(block.attention.projection.register_forward_pre_hook(record))
        model(source)
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            def write(module, inputs, layer=layer):
                merged = inputs[0].clone()
                for l, j in heads:
                    if l == layer:
                        for t in positions:
                            merged[:, t, j * d_k : (j + 1) * d_k] = stored[layer][t, j * d_k : (j + 1) * d_k]
                return merged

            stack.enter_context(block.attention.projection.register_forward_pre_hook(write))
        return model(tokens)[0]
