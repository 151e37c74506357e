# one hook for all layers, with a mask and torch.where
def ablate_heads(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    handles = []
    for layer, block in enumerate(model.blocks):
        take = torch.zeros(model.config.d_model, dtype=torch.bool)
        vector = torch.zeros(model.config.d_model)
        for (l, j), v in new.items():
            if l == layer:
                take[j * d_k : (j + 1) * d_k] = True
                vector[j * d_k : (j + 1) * d_k] = v
        handles.append(
            block.attention.projection.register_forward_pre_hook(
                lambda module, inputs, take=take, vector=vector: torch.where(take, vector.to(inputs[0].dtype), inputs[0])
            )
        )
    logits, _ = model(tokens)
    for handle in handles:
        handle.remove()
    return logits
