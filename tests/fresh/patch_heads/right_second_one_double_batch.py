# runs tokens and source as one batch; each hook copies from the second half to the first
def patch_heads(model, tokens, source, heads, positions):
    B, d_k = tokens.shape[0], model.config.d_model // model.config.n_head

    def copier(head):
        columns = slice(head * d_k, (head + 1) * d_k)

        def hook(_, inputs):
            x = inputs[0].clone()
            for t in positions:
                x[:B, t, columns] = x[B:, t, columns]
            return x

        return hook

    handles = [model.blocks[layer].attention.projection.register_forward_pre_hook(copier(head)) for layer, head in heads]
    try:
        return model(torch.cat([tokens, source]))[0][:B]
    finally:
        for handle in handles:
            handle.remove()
