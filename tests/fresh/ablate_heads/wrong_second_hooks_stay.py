# the hooks are never removed from the model
def ablate_heads(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head

    def hook_for(head, vector):
        def hook(module, inputs):
            x = inputs[0].clone()
            x[..., head * d_k : (head + 1) * d_k] = vector
            return x

        return hook

    for (layer, head), vector in new.items():
        model.blocks[layer].attention.projection.register_forward_pre_hook(hook_for(head, vector))
    return model(tokens)[0]
