# empties the dict it is given
def ablate_heads(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    handles = []
    while new:
        (l, j), v = new.popitem()
        def hook(module, inputs, j=j, v=v):
            x = inputs[0].clone()
            x[..., j * d_k : (j + 1) * d_k] = v
            return x

        handles.append(model.blocks[l].attention.projection.register_forward_pre_hook(hook))
    logits = model(tokens)[0]
    for h in handles:
        h.remove()
    return logits
