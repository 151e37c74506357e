# the second layer's outputs are recorded from a source that is patched too
def patch_heads(model, tokens, source, heads, positions):
    d_k, B = model.config.d_model // model.config.n_head, len(tokens)
    with torch.no_grad(), contextlib.ExitStack() as stack:
        for layer in sorted({l for l, _ in heads}):
            def hook(module, inputs, layer=layer):
                x = inputs[0].clone()
                for l, j in heads:
                    if l == layer:
                        for t in positions:
                            part = slice(j * d_k, (j + 1) * d_k)
                            x[:B, t, part], x[B:, t, part] = x[B:, t, part].clone(), x[:B, t, part].clone()
                return x

            stack.enter_context(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
        return model(torch.cat((tokens, source)))[0][:B]
