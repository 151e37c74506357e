# a dict of hooks by layer: a second head of one layer replaces the first
def ablate_heads(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    by_layer = {l: (j, v) for (l, j), v in new.items()}
    with contextlib.ExitStack() as stack:
        for l, (j, v) in by_layer.items():
            def hook(module, inputs, j=j, v=v):
                x = inputs[0].clone()
                x[..., j * d_k : (j + 1) * d_k] = v
                return x

            stack.enter_context(model.blocks[l].attention.projection.register_forward_pre_hook(hook))
        return model(tokens)[0]
