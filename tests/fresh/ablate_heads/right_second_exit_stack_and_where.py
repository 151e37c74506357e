# one hook for each layer, a whole-width mask and torch.where, all hooks in an ExitStack
def ablate_heads(model, tokens, new):
    d, h = model.config.d_model, model.config.n_head
    by_layer = defaultdict(list)
    for (layer, head), vector in new.items():
        by_layer[layer].append((head, vector))

    def make_hook(pairs):
        def hook(_, inputs):
            (x,) = inputs
            wanted = torch.zeros(h, d // h, dtype=x.dtype, device=x.device)
            chosen = torch.zeros(h, 1, dtype=torch.bool, device=x.device)
            for head, vector in pairs:
                wanted[head], chosen[head] = vector, True
            return torch.where(chosen.expand(h, d // h).reshape(-1), wanted.reshape(-1), x)

        return hook

    with contextlib.ExitStack() as stack:
        for layer, pairs in by_layer.items():
            projection = model.blocks[layer].attention.projection
            stack.enter_context(projection.register_forward_pre_hook(make_hook(pairs)))
        logits, _ = model(tokens)
    return logits
