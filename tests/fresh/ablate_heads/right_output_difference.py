# adds the change of W_O's product to the output of the projection
def ablate_heads(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    handles = []
    for layer, block in enumerate(model.blocks):
        def hook(module, inputs, output, layer=layer):
            for (l, j), v in new.items():
                if l == layer:
                    part = slice(j * d_k, (j + 1) * d_k)
                    output = output + (v - inputs[0][..., part]) @ module.weight[:, part].T
            return output

        handles.append(block.attention.projection.register_forward_hook(hook))
    try:
        return model(tokens)[0]
    finally:
        for h in handles:
            h.remove()
