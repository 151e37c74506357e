# replaces the forward of the projection and puts it back
def ablate_heads(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    old = {}

    def wrapped(layer, forward):
        def run(x):
            x = x.clone()
            for (l, j), v in new.items():
                if l == layer:
                    x[..., j * d_k : (j + 1) * d_k] = v
            return forward(x)

        return run

    for layer in {l for l, _ in new}:
        projection = model.blocks[layer].attention.projection
        old[projection] = projection.forward
        projection.forward = wrapped(layer, projection.forward)
    try:
        with torch.no_grad():
            return model(tokens)[0]
    finally:
        for projection in old:
            del projection.forward
