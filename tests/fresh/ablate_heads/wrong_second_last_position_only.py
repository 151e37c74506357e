# replaces the output of the heads at the last position only
def ablate_heads(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    with contextlib.ExitStack() as stack:
        for (layer, head), vector in new.items():

            def hook(module, inputs, head=head, vector=vector):
                x = inputs[0].clone()
                x[:, -1, head * d_k : (head + 1) * d_k] = vector
                return x

            stack.enter_context(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
        return model(tokens)[0]
