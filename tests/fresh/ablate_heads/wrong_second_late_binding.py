# the hooks are made in a loop and all of them see the last head and vector
def ablate_heads(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    handles = []
    for (layer, head), vector in new.items():

        def hook(module, inputs):
            x = inputs[0].clone()
            x[..., head * d_k : (head + 1) * d_k] = vector
            return x

        handles.append(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
    logits = model(tokens)[0]
    for handle in handles:
        handle.remove()
    return logits
