"""Fresh answers to ablate_heads."""


# hooks that are never removed, but on a deep copy of the model
def right_deep_copy(model, tokens, new):
    model = copy.deepcopy(model)
    d_k = model.config.d_model // model.config.n_head
    for layer, block in enumerate(model.blocks):
        def hook(module, inputs, layer=layer):
            parts = list(inputs[0].split(d_k, dim=-1))
            for (l, j), v in new.items():
                if l == layer:
                    parts[j] = v.expand_as(parts[j])
            return (torch.cat(parts, dim=-1),)

        block.attention.projection.register_forward_pre_hook(hook)
    return model(tokens)[0]


# changes the hook's input itself, which nothing else reads
def right_in_place_input(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    with torch.no_grad(), contextlib.ExitStack() as stack:
        for pair in new:
            def hook(module, inputs, pair=pair):
                inputs[0][:, :, pair[1] * d_k : (pair[1] + 1) * d_k] = new[pair]

            stack.enter_context(model.blocks[pair[0]].attention.projection.register_forward_pre_hook(hook))
        return model(tokens)[0]


# one hook for all layers, with a mask and torch.where
def right_mask_and_where(model, tokens, new):
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


# adds the change of W_O's product to the output of the projection
def right_output_difference(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    handles = []
    for layer, block in enumerate(model.blocks):
        def hook(module, inputs, output, layer=layer):
            for (l, j), v in new.items():
                if l == layer:
                    part = slice(j * d_k, (j + 1) * d_k)
                    output = output + (v - inputs[0][..., part]) @ module.weight[:, part].T
            return output

        handles.append(block.attention.projection.register_forward_hook(hook))
    try:
        return model(tokens)[0]
    finally:
        for h in handles:
            h.remove()


# replaces the forward of the projection and puts it back
def right_replaced_forward(model, tokens, new):
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


# hooks that are never removed, but on a copy of the model
def right_second_deepcopied_model(model, tokens, new):
    twin = copy.deepcopy(model)
    d_k = model.config.d_model // model.config.n_head
    for (layer, head), vector in new.items():

        def hook(module, inputs, head=head, vector=vector):
            x = inputs[0].clone()
            x[:, :, head * d_k : (head + 1) * d_k] = vector
            return (x,)

        twin.blocks[layer].attention.projection.register_forward_pre_hook(hook)
    return twin(tokens)[0]


# one hook for each layer, a whole-width mask and torch.where, all hooks in an ExitStack
def right_second_exit_stack_and_where(model, tokens, new):
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


# changes the output of the projection
def wrong_after_projection(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    with contextlib.ExitStack() as stack:
        for (l, j), v in new.items():
            def hook(module, inputs, output, j=j, v=v):
                output = output.clone()
                output[..., j * d_k : (j + 1) * d_k] = v
                return output

            stack.enter_context(model.blocks[l].attention.projection.register_forward_hook(hook))
        return model(tokens)[0]


# replaces the head in the first row of the batch only
def wrong_first_row_only(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    with contextlib.ExitStack() as stack:
        for (l, j), v in new.items():
            def hook(module, inputs, j=j, v=v):
                x = inputs[0].clone()
                x[0, :, j * d_k : (j + 1) * d_k] = v
                return x

            stack.enter_context(model.blocks[l].attention.projection.register_forward_pre_hook(hook))
        return model(tokens)[0]


# d_k and the number of heads of the notebook's model are written down
def wrong_fixed_sizes(model, tokens, new):
    with contextlib.ExitStack() as stack:
        for (l, j), v in new.items():
            def hook(module, inputs, j=j, v=v):
                x = inputs[0].clone()
                x[..., j * 16 : (j + 1) * 16] = v
                return x

            stack.enter_context(model.blocks[l].attention.projection.register_forward_pre_hook(hook))
        return model(tokens)[0]


# never removes the hooks
def wrong_hooks_left(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    for (l, j), v in new.items():
        def hook(module, inputs, j=j, v=v):
            x = inputs[0].clone()
            x[..., j * d_k : (j + 1) * d_k] = v
            return x

        model.blocks[l].attention.projection.register_forward_pre_hook(hook)
    return model(tokens)[0]


# the loop's last head in every hook
def wrong_late_binding(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    handles = []
    for (l, j), v in new.items():
        def hook(module, inputs):
            x = inputs[0].clone()
            x[..., j * d_k : (j + 1) * d_k] = v
            return x

        handles.append(model.blocks[l].attention.projection.register_forward_pre_hook(hook))
    logits = model(tokens)[0]
    for h in handles:
        h.remove()
    return logits


# a dict of hooks by layer: a second head of one layer replaces the first
def wrong_one_hook_per_layer_kept(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    by_layer = {l: (j, v) for (l, j), v in new.items()}
    with contextlib.ExitStack() as stack:
        for l, (j, v) in by_layer.items():
            def hook(module, inputs, j=j, v=v):
                x = inputs[0].clone()
                x[..., j * d_k : (j + 1) * d_k] = v
                return x

            stack.enter_context(model.blocks[l].attention.projection.register_forward_pre_hook(hook))
        return model(tokens)[0]


# empties the dict it is given
def wrong_pops_new(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    handles = []
    while new:
        (l, j), v = new.popitem()
        def hook(module, inputs, j=j, v=v):
            x = inputs[0].clone()
            x[..., j * d_k : (j + 1) * d_k] = v
            return x

        handles.append(model.blocks[l].attention.projection.register_forward_pre_hook(hook))
    logits = model(tokens)[0]
    for h in handles:
        h.remove()
    return logits


# leaves the model in training mode
def wrong_train_after(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    model.eval()
    with torch.no_grad(), contextlib.ExitStack() as stack:
        for (l, j), v in new.items():
            def hook(module, inputs, j=j, v=v):
                x = inputs[0].clone()
                x[..., j * d_k : (j + 1) * d_k] = v
                return x

            stack.enter_context(model.blocks[l].attention.projection.register_forward_pre_hook(hook))
        logits = model(tokens)[0]
    model.train()
    return logits


# sets the columns of W_O to zero, for every vector, and puts them back
def wrong_weights_set(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    kept = {l: model.blocks[l].attention.projection.weight.data.clone() for l, _ in new}
    for l, j in new:
        model.blocks[l].attention.projection.weight.data[:, j * d_k : (j + 1) * d_k] = 0
    logits = model(tokens)[0]
    for l, w in kept.items():
        model.blocks[l].attention.projection.weight.data.copy_(w)
    return logits


# the hooks are never removed from the model
def wrong_second_hooks_stay(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head

    def hook_for(head, vector):
        def hook(module, inputs):
            x = inputs[0].clone()
            x[..., head * d_k : (head + 1) * d_k] = vector
            return x

        return hook

    for (layer, head), vector in new.items():
        model.blocks[layer].attention.projection.register_forward_pre_hook(hook_for(head, vector))
    return model(tokens)[0]


# replaces the output of the heads at the last position only
def wrong_second_last_position_only(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    with contextlib.ExitStack() as stack:
        for (layer, head), vector in new.items():

            def hook(module, inputs, head=head, vector=vector):
                x = inputs[0].clone()
                x[:, -1, head * d_k : (head + 1) * d_k] = vector
                return x

            stack.enter_context(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
        return model(tokens)[0]


# the hooks are made in a loop and all of them see the last head and vector
def wrong_second_late_binding(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    handles = []
    for (layer, head), vector in new.items():

        def hook(module, inputs):
            x = inputs[0].clone()
            x[..., head * d_k : (head + 1) * d_k] = vector
            return x

        handles.append(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
    logits = model(tokens)[0]
    for handle in handles:
        handle.remove()
    return logits


# after the call it clears the hooks of each projection, also those that the model had before
wrong_fourth_clears_all_hooks = """
def ablate_heads(model, tokens, new):
    logits = hooked(model, tokens, new)
    for block in model.blocks:
        block.attention.projection._forward_pre_hooks.clear()
    return logits


def hooked(model, tokens, new):
    d_k = model.config.d_model // model.config.n_head
    for (l, j), v in new.items():
        def hook(module, inputs, j=j, v=v):
            return torch.cat((inputs[0][..., : j * d_k], v.expand(*tokens.shape, -1), inputs[0][..., (j + 1) * d_k :]), -1)

        model.blocks[l].attention.projection.register_forward_pre_hook(hook)
    return model(tokens)[0]
"""
