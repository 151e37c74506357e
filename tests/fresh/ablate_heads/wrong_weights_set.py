# sets the columns of W_O to zero, for every vector, and puts them back
def ablate_heads(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    kept = {l: model.blocks[l].attention.projection.weight.data.clone() for l, _ in new}
    for l, j in new:
        model.blocks[l].attention.projection.weight.data[:, j * d_k : (j + 1) * d_k] = 0
    logits = model(tokens)[0]
    for l, w in kept.items():
        model.blocks[l].attention.projection.weight.data.copy_(w)
    return logits
