"""Fresh answers to patch_heads, part 1 of 2."""


# two deep copies of the model, with hooks that stay
def right_copies(model, tokens, source, heads, positions):
    reading, writing, stored = copy.deepcopy(model), copy.deepcopy(model), {}
    d_k = model.config.d_model // model.config.n_head
    for layer in range(len(model.blocks)):
        def read(module, inputs, layer=layer):
            stored[layer] = inputs[0]

        def write(module, inputs, layer=layer):
            B, T, d = inputs[0].shape
            x, y = inputs[0].view(B, T, -1, d_k).clone(), stored[layer].view(B, T, -1, d_k)
            for l, j in heads:
                if l == layer:
                    for t in positions:
                        x[:, t, j] = y[:, t, j]
            return x.flatten(2)

        reading.blocks[layer].attention.projection.register_forward_pre_hook(read)
        writing.blocks[layer].attention.projection.register_forward_pre_hook(write)
    reading(source)
    return writing(tokens)[0]


# a float mask mixes the two rows
def right_mask_product(model, tokens, source, heads, positions):
    c = model.config
    d_k, T = c.d_model // c.n_head, tokens.shape[1]
    kept = []
    with contextlib.ExitStack() as stack:
        for block in model.blocks:
            stack.enter_context(block.attention.projection.register_forward_pre_hook(lambda m, i: kept.append(i[0])))
        model(source)
    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            mask = torch.zeros(T, c.d_model)
            for t, (l, j) in itertools.product(positions, heads):
                if l == layer:
                    mask[t, j * d_k : (j + 1) * d_k] = 1
            stack.enter_context(
                block.attention.projection.register_forward_pre_hook(
                    lambda m, i, mask=mask, old=kept[layer]: i[0] * (1 - mask) + old * mask
                )
            )
        return model(tokens)[0]


# source and tokens in one batch: the hook copies from one half to the other
def right_one_batch(model, tokens, source, heads, positions):
    d_k, B = model.config.d_model // model.config.n_head, len(tokens)
    with torch.no_grad(), contextlib.ExitStack() as stack:
        for layer in sorted({l for l, _ in heads}):
            def hook(module, inputs, layer=layer):
                x = inputs[0].clone()
                for l, j in heads:
                    if l == layer:
                        for t in positions:
                            x[:B, t, j * d_k : (j + 1) * d_k] = x[B:, t, j * d_k : (j + 1) * d_k]
                return x

            stack.enter_context(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
        return model(torch.cat((tokens, source)))[0][:B]


# one hook with a flag: it records in the first pass and writes in the second
def right_state_flag(model, tokens, source, heads, positions):
    d_k = model.config.d_model // model.config.n_head
    stored, writing = {}, False

    def hook_for(layer):
        def hook(module, inputs):
            if not writing:
                stored[layer] = inputs[0].detach().clone()
                return None
            merged = inputs[0].clone()
            for l, j in heads:
                if l == layer:
                    part = slice(j * d_k, (j + 1) * d_k)
                    merged[:, positions, part] = stored[layer][:, positions, part]
            return (merged,)

        return hook

    handles = [b.attention.projection.register_forward_pre_hook(hook_for(i)) for i, b in enumerate(model.blocks)]
    try:
        model(source)
        writing = True
        return model(tokens)[0]
    finally:
        for handle in handles:
            handle.remove()


# runs tokens and source as one batch; each hook copies from the second half to the first
def right_second_one_double_batch(model, tokens, source, heads, positions):
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


# records on source and patches on tokens by setting the forward of a deep copy's projections
right_second_swapped_forward = '''
class Recorder:
    """Replaces the projection of one layer: keeps its input, or changes it."""

    def __init__(self, projection, d_k):
        self.plain, self.d_k, self.seen, self.heads, self.positions = projection.forward, d_k, None, [], []

    def __call__(self, x):
        if self.seen is None:
            self.seen = x.detach().clone()
            return self.plain(x)
        x = x.clone()
        for head, t in itertools.product(self.heads, self.positions):
            x[:, t].unflatten(-1, (-1, self.d_k))[:, head] = self.seen[:, t].unflatten(-1, (-1, self.d_k))[:, head]
        return self.plain(x)


def patch_heads(model, tokens, source, heads, positions):
    twin = copy.deepcopy(model)
    d_k = model.config.d_model // model.config.n_head
    recorders = []
    for block in twin.blocks:
        recorder = Recorder(block.attention.projection, d_k)
        block.attention.projection.forward = recorder
        recorders.append(recorder)
    twin(source)
    for layer, head in heads:
        recorders[layer].heads.append(head)
        recorders[layer].positions = list(positions)
    return twin(tokens)[0]
'''


# removes only the last of the writing hooks
def wrong_last_hook_removed(model, tokens, source, heads, positions):
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

        handle = block.attention.projection.register_forward_pre_hook(write)
    logits = model(tokens)[0]
    handle.remove()
    return logits


# right logits, but writes the source's characters into tokens afterwards
def wrong_overwrites_tokens(model, tokens, source, heads, positions):
    d_k = model.config.d_model // model.config.n_head
    B, both = len(tokens), torch.cat((tokens, source))
    with contextlib.ExitStack() as stack:
        for layer in sorted({l for l, _ in heads}):
            def hook(module, inputs, layer=layer):
                x = inputs[0].clone()
                for l, j in heads:
                    if l == layer:
                        for t in positions:
                            x[:B, t, j * d_k : (j + 1) * d_k] = x[B:, t, j * d_k : (j + 1) * d_k]
                return x

            stack.enter_context(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
        logits = model(both)[0][:B]
    tokens.copy_(source)
    return logits


# the second layer's outputs are recorded from a source that is patched too
def wrong_patched_source(model, tokens, source, heads, positions):
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


# sorts the caller's positions and heads
wrong_sorted_positions = """
def patch_heads(model, tokens, source, heads, positions):
    d_k = model.config.d_model // model.config.n_head
    stored = {}
    positions.sort()
    heads.sort()
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


# returns the logits of source if no head is named
def wrong_fifth_source_without_heads(model, tokens, source, heads, positions):
    d_k = model.config.d_model // model.config.n_head
    kept, handles = {}, []
    for layer, block in enumerate(model.blocks):

        def keep(module, inputs, layer=layer):
            kept[layer] = inputs[0].clone()

        handles.append(block.attention.projection.register_forward_pre_hook(keep))
    model(source)
    for handle in handles:
        handle.remove()
    handles = []
    for layer, head in heads:

        def patch(module, inputs, layer=layer, head=head):
            changed = inputs[0].clone()
            columns = slice(head * d_k, (head + 1) * d_k)
            changed[:, positions, columns] = kept[layer][:, positions, columns]
            return changed

        handles.append(model.blocks[layer].attention.projection.register_forward_pre_hook(patch))
    logits, _ = model(tokens if heads else source)
    for handle in handles:
        handle.remove()
    return logits


# Writes in place into the list of positions: sorts it.
def wrong_eighth_sorts_positions(model, tokens, source, heads, positions):
    d_k = model.config.d_model // model.config.n_head
    kept = {}
    positions.sort(reverse=True)

    def keep(layer):
        def hook(module, inputs):
            kept[layer] = inputs[0].clone()

        return hook

    def patch(layer):
        def hook(module, inputs):
            changed = inputs[0].clone()
            for where, head in heads:
                if where == layer:
                    part = slice(head * d_k, (head + 1) * d_k)
                    changed[:, positions, part] = kept[layer][:, positions, part]
            return (changed,)

        return hook

    def run(rows, make):
        with contextlib.ExitStack() as stack:
            for layer, block in enumerate(model.blocks):
                stack.enter_context(block.attention.projection.register_forward_pre_hook(make(layer)))
            return model(rows)[0]

    run(source, keep)
    return run(tokens, patch)


# An empty list of positions is taken as all.
def wrong_tenth_no_positions_all(model, tokens, source, heads, positions):
    d_k = model.config.d_model // model.config.n_head
    layers = sorted({layer for layer, _ in heads})
    places = torch.tensor(list(positions) or list(range(tokens.shape[1])), dtype=torch.long)
    kept = {}

    def keep(layer):
        def hook(module, inputs):
            kept[layer] = inputs[0].clone()

        return hook

    def put(layer):
        def hook(module, inputs):
            changed = inputs[0].clone()
            for where, head in heads:
                if where == layer:
                    columns = slice(head * d_k, (head + 1) * d_k)
                    changed[:, places, columns] = kept[layer][:, places, columns]
            return (changed,)

        return hook

    def run(rows, make):
        with contextlib.ExitStack() as stack:
            for layer in layers:
                projection = model.blocks[layer].attention.projection
                stack.enter_context(projection.register_forward_pre_hook(make(layer)))
            return model(rows)[0]

    run(source, keep)
    return run(tokens, put)
