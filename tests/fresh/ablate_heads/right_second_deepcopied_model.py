# hooks that are never removed, but on a copy of the model
def ablate_heads(model, tokens, new):
    twin = copy.deepcopy(model)
    d_k = model.config.d_model // model.config.n_head
    for (layer, head), vector in new.items():

        def hook(module, inputs, head=head, vector=vector):
            x = inputs[0].clone()
            x[:, :, head * d_k : (head + 1) * d_k] = vector
            return (x,)

        twin.blocks[layer].attention.projection.register_forward_pre_hook(hook)
    return twin(tokens)[0]
