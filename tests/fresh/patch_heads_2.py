"""Fresh answers to patch_heads, part 2 of 2."""


# patches from the first to the last position, with those between
def wrong_range_of_positions(model, tokens, source, heads, positions):
    d_k = model.config.d_model // model.config.n_head
    stored = {}
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            def record(module, inputs, layer=layer):
                stored[layer] = inputs[0].clone()

            stack.enter_context(block.attention.projection.register_forward_pre_hook(record))
        model(source)
    if not positions:
        return model(tokens)[0]
    span = slice(min(positions), max(positions) + 1)
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            def write(module, inputs, layer=layer):
                merged = inputs[0].clone()
                for l, j in heads:
                    if l == layer:
                        part = slice(j * d_k, (j + 1) * d_k)
                        merged[:, span, part] = stored[layer][:, span, part]
                return merged

            stack.enter_context(block.attention.projection.register_forward_pre_hook(write))
        return model(tokens)[0]


# the recording hook stays on in the second pass and overwrites the store
def wrong_recording_left_on(model, tokens, source, heads, positions):
    d_k = model.config.d_model // model.config.n_head
    stored = {}
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            def record(module, inputs, layer=layer):
                stored[layer] = inputs[0].clone()

            stack.enter_context(block.attention.projection.register_forward_pre_hook(record))
        model(source)
        for layer, block in enumerate(model.blocks):
            def write(module, inputs, layer=layer):
                merged = inputs[0].clone()
                for l, j in heads:
                    if l == layer:
                        part = slice(j * d_k, (j + 1) * d_k)
                        merged[:, positions, part] = stored[layer][:, positions, part]
                return merged

            stack.enter_context(block.attention.projection.register_forward_pre_hook(write))
        return model(tokens)[0]


# every row gets the outputs of row 0 of the source
def wrong_row_zero(model, tokens, source, heads, positions):
    d_k = model.config.d_model // model.config.n_head
    stored = {}
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            def record(module, inputs, layer=layer):
                stored[layer] = inputs[0][0].clone()

            stack.enter_context(block.attention.projection.register_forward_pre_hook(record))
        model(source)
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            def write(module, inputs, layer=layer):
                merged = inputs[0].clone()
                for l, j in heads:
                    if l == layer:
                        for t in positions:
                            merged[:, t, j * d_k : (j + 1) * d_k] = stored[layer][t, j * d_k : (j + 1) * d_k]
                return merged

            stack.enter_context(block.attention.projection.register_forward_pre_hook(write))
        return model(tokens)[0]


# caches the outputs of the first source that it is given
wrong_source_kept = """
stored = {}


def patch_heads(model, tokens, source, heads, positions):
    d_k = model.config.d_model // model.config.n_head
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            def record(module, inputs, layer=layer):
                stored.setdefault(layer, inputs[0].clone())

            stack.enter_context(block.attention.projection.register_forward_pre_hook(record))
        model(source)
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            def write(module, inputs, layer=layer):
                merged = inputs[0].clone()
                for l, j in heads:
                    if l == layer:
                        part = slice(j * d_k, (j + 1) * d_k)
                        merged[:, positions, part] = stored[layer][:, positions, part]
                return merged

            stack.enter_context(block.attention.projection.register_forward_pre_hook(write))
        return model(tokens)[0]
"""


# exchanges the characters instead of the outputs
def wrong_tokens_patched(model, tokens, source, heads, positions):
    mixed = tokens.clone()
    if heads:
        mixed[:, positions] = source[:, positions]
    return model(mixed)[0]


# ignores positions: the whole row of the head is copied
def wrong_second_all_positions(model, tokens, source, heads, positions):
    d_k, seen = model.config.d_model // model.config.n_head, {}
    with contextlib.ExitStack() as stack:
        for layer, _ in heads:

            def record(_, inputs, layer=layer):
                seen[layer] = inputs[0].clone()

            stack.enter_context(model.blocks[layer].attention.projection.register_forward_pre_hook(record))
        model(source)
    with contextlib.ExitStack() as stack:
        for layer, head in heads:

            def patch(_, inputs, layer=layer, part=slice(head * d_k, (head + 1) * d_k)):
                x = inputs[0].clone()
                x[..., part] = seen[layer][..., part]
                return x

            stack.enter_context(model.blocks[layer].attention.projection.register_forward_pre_hook(patch))
        return model(tokens)[0]


# every row gets the outputs of row 0 of source, right for a batch of one
def wrong_second_first_row_for_all(model, tokens, source, heads, positions):
    d_k, seen, handles = model.config.d_model // model.config.n_head, {}, []
    for layer in {layer for layer, _ in heads}:
        def record(_, inputs, layer=layer):
            seen[layer] = inputs[0].clone()
        handles.append(model.blocks[layer].attention.projection.register_forward_pre_hook(record))
    model(source)
    for handle in handles:
        handle.remove()
    handles = []
    for layer, head in heads:
        def patch(_, inputs, layer=layer, head=head):
            x = inputs[0].clone()
            for t in positions:
                x[:, t, head * d_k : (head + 1) * d_k] = seen[layer][0, t, head * d_k : (head + 1) * d_k]
            return x
        handles.append(model.blocks[layer].attention.projection.register_forward_pre_hook(patch))
    logits = model(tokens)[0]
    for handle in handles:
        handle.remove()
    return logits


# reads the outputs from tokens and patches the run on source
def wrong_second_source_and_tokens_swapped(model, tokens, source, heads, positions):
    d_k, seen = model.config.d_model // model.config.n_head, {}
    with contextlib.ExitStack() as stack:
        for layer, _ in heads:

            def record(_, inputs, layer=layer):
                seen[layer] = inputs[0].clone()

            stack.enter_context(model.blocks[layer].attention.projection.register_forward_pre_hook(record))
        model(tokens)
    with contextlib.ExitStack() as stack:
        for layer, head in heads:

            def patch(_, inputs, layer=layer, part=slice(head * d_k, (head + 1) * d_k)):
                x = inputs[0].clone()
                for t in positions:
                    x[:, t, part] = seen[layer][:, t, part]
                return x

            stack.enter_context(model.blocks[layer].attention.projection.register_forward_pre_hook(patch))
        return model(source)[0]


# the outputs for source are kept from call to call, by the shape of the rows
wrong_kept_by_shape = """
kept = {}


def patch_heads(model, tokens, source, heads, positions):
    d_k = model.config.d_model // model.config.n_head
    name = tuple(source.shape), model.config.n_layer
    if name not in kept:
        kept[name] = []
        with contextlib.ExitStack() as stack:
            for block in model.blocks:
                hook = lambda module, inputs: kept[name].append(inputs[0].clone())
                stack.enter_context(block.attention.projection.register_forward_pre_hook(hook))
            model(source)
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            def write(module, inputs, layer=layer):
                merged = inputs[0].clone()
                for l, j in heads:
                    if l == layer:
                        part = slice(j * d_k, (j + 1) * d_k)
                        merged[:, positions, part] = kept[name][layer][:, positions, part]
                return merged

            stack.enter_context(block.attention.projection.register_forward_pre_hook(write))
        return model(tokens)[0]
"""


# the width of a head is that of the notebook's model
wrong_written_width = """
def patch_heads(model, tokens, source, heads, positions):
    d_k = 4
    stored = {}
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            def record(module, inputs, layer=layer):
                stored[layer] = inputs[0].clone()

            stack.enter_context(block.attention.projection.register_forward_pre_hook(record))
        model(source)
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            def write(module, inputs, layer=layer):
                merged = inputs[0].clone()
                for l, j in heads:
                    if l == layer:
                        part = slice(j * d_k, (j + 1) * d_k)
                        merged[:, positions, part] = stored[layer][:, positions, part]
                return merged

            stack.enter_context(block.attention.projection.register_forward_pre_hook(write))
        return model(tokens)[0]
"""


# removes every hook of the projections, also those of others
def wrong_fourth_clears_all_hooks(model, tokens, source, heads, positions):
    d = model.config.d_model // model.config.n_head
    kept = {}
    hs = [b.attention.projection.register_forward_pre_hook(lambda m, inp, l=l: kept.update({l: inp[0].clone()})) for l, b in enumerate(model.blocks)]
    model(source)
    for h in hs: h.remove()
    for l in range(len(model.blocks)):
        def hook(m, inp, l=l):
            x = inp[0].clone()
            for a, j in heads:
                if a == l:
                    x[:, positions, j*d:(j+1)*d] = kept[l][:, positions, j*d:(j+1)*d]
            return x
        model.blocks[l].attention.projection.register_forward_pre_hook(hook)
    out = model(tokens)[0]
    for b in model.blocks: b.attention.projection._forward_pre_hooks.clear()
    return out


# keeps the outputs for the source as long as the model is the same
wrong_fourth_source_kept_for_the_model = '''
_kept = {}

def patch_heads(model, tokens, source, heads, positions):
    d = model.config.d_model // model.config.n_head
    if _kept.get("model") is not model:
        _kept.clear()
        _kept["model"] = model
        hs = [b.attention.projection.register_forward_pre_hook(lambda m, inp, l=l: _kept.update({l: inp[0].clone()})) for l, b in enumerate(model.blocks)]
        model(source)
        for h in hs: h.remove()
    hs = []
    for l in range(len(model.blocks)):
        def hook(m, inp, l=l):
            x = inp[0].clone()
            for a, j in heads:
                if a == l:
                    x[:, positions, j*d:(j+1)*d] = _kept[l][:, positions, j*d:(j+1)*d]
            return x
        hs.append(model.blocks[l].attention.projection.register_forward_pre_hook(hook))
    out = model(tokens)[0]
    for h in hs: h.remove()
    return out
'''


# adds the change of the product to the output of the projection
def right_fourth_output_delta(model, tokens, source, heads, positions):
    d = model.config.d_model // model.config.n_head
    store = []
    hs = [b.attention.projection.register_forward_hook(lambda m, i, o: store.append(i[0].detach())) for b in model.blocks]
    with torch.no_grad():
        model(source)
    [h.remove() for h in hs]
    def hook(l):
        def f(m, i, o):
            delta = torch.zeros_like(i[0])
            for a, j in heads:
                if a == l:
                    for p in positions:
                        delta[:, p, j*d:(j+1)*d] = store[l][:, p, j*d:(j+1)*d] - i[0][:, p, j*d:(j+1)*d]
            return o + delta @ m.weight.T
        return f
    hs = [b.attention.projection.register_forward_hook(hook(l)) for l, b in enumerate(model.blocks)]
    logits = model(tokens)[0]
    [h.remove() for h in hs]
    return logits
