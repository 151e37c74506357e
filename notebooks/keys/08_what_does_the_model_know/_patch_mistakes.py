"""Wrong answers to patch_heads. The docstring of each is the feedback for the
students who made that mistake.
"""

from __future__ import annotations

import torch


def at_every_position(model, tokens, source, heads, positions):
    """You patch the heads at every position. Only those in `positions` should change."""
    size, rows = model.config.d_model // model.config.n_head, len(tokens)
    handles = []
    for layer, j in heads:

        def hook(module, inputs, j=j):
            merged = inputs[0].clone()
            merged[:rows, :, j * size : (j + 1) * size] = merged[rows:, :, j * size : (j + 1) * size]
            return merged

        handles.append(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
    logits = model(torch.cat([tokens, source]))[0][:rows]
    for handle in handles:
        handle.remove()
    return logits


def the_whole_layer(model, tokens, source, heads, positions):
    """You patch all heads of the layer. Only the heads in `heads` should change."""
    rows = len(tokens)
    handles = []
    for layer, _ in heads:

        def hook(module, inputs):
            merged = inputs[0].clone()
            merged[:rows, positions] = merged[rows:, positions]
            return merged

        handles.append(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
    logits = model(torch.cat([tokens, source]))[0][:rows]
    for handle in handles:
        handle.remove()
    return logits


def the_wrong_way(model, tokens, source, heads, positions):
    """You patch the outputs for `tokens` into the pass of `source`. It should be the other way round."""
    size, rows = model.config.d_model // model.config.n_head, len(tokens)
    handles = []
    for layer, j in heads:

        def hook(module, inputs, j=j):
            merged = inputs[0].clone()
            merged[:rows, positions, j * size : (j + 1) * size] = merged[
                rows:, positions, j * size : (j + 1) * size
            ]
            return merged

        handles.append(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
    logits = model(torch.cat([source, tokens]))[0][:rows]
    for handle in handles:
        handle.remove()
    return logits


def source_alone(model, tokens, source, heads, positions):
    """You return what the model computes for `source`.
    Only some heads should take their outputs from there.
    """
    return model(source)[0]


def nothing_stored(model, tokens, source, heads, positions):
    """You return what the model computes for `tokens` alone. Either nothing is put in, or what is put in
    comes from `tokens` itself, as when a hook that keeps outputs runs in both passes.
    """
    return model(tokens)[0]


def late_binding(model, tokens, source, heads, positions):
    """Hooks that are made in a loop read the loop's variables when they run. By then the loop is over, so
    all of them patch the last head.
    """
    size, rows = model.config.d_model // model.config.n_head, len(tokens)
    handles = []
    for layer, j in heads:

        def hook(module, inputs):
            merged = inputs[0].clone()
            part = slice(j * size, (j + 1) * size)  # the mistake itself
            merged[:rows, positions, part] = merged[rows:, positions, part]
            return merged

        handles.append(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
    logits = model(torch.cat([tokens, source]))[0][:rows]
    for handle in handles:
        handle.remove()
    return logits


def hook_left_behind(model, tokens, source, heads, positions):
    """The hooks stay in the model after the call, so its later answers are patched too. Remove
    each hook after the forward pass, for example with a `with` block.
    """
    size, stored = model.config.d_model // model.config.n_head, {}
    for layer, block in enumerate(model.blocks):

        def hook(module, inputs, layer=layer):
            if layer not in stored:
                stored[layer] = inputs[0]
                return None
            merged = inputs[0].clone()
            for of_layer, j in heads:
                if of_layer == layer and merged.shape == stored[layer].shape:
                    part = slice(j * size, (j + 1) * size)
                    merged[:, positions, part] = stored[layer][:, positions, part]
            return merged

        block.attention.projection.register_forward_pre_hook(hook)
    model(source)
    return model(tokens)[0]


def values_patched(model, tokens, source, heads, positions):
    """You patch the values of the head at these positions. Then every later position that attends to them
    changes too. Patch the output of the head.
    """
    size, rows = model.config.d_model // model.config.n_head, len(tokens)
    handles = []
    for layer, j in heads:

        def hook(module, inputs, output, j=j):
            output = output.clone()
            output[:rows, positions, j * size : (j + 1) * size] = output[
                rows:, positions, j * size : (j + 1) * size
            ]
            return output

        handles.append(model.blocks[layer].attention.value.register_forward_hook(hook))
    logits = model(torch.cat([tokens, source]))[0][:rows]
    for handle in handles:
        handle.remove()
    return logits


def queries_patched(model, tokens, source, heads, positions):
    """You patch the queries of the head. Then it attends as it does in `source`, but to the values of
    `tokens`. Patch its output.
    """
    size, rows = model.config.d_model // model.config.n_head, len(tokens)
    handles = []
    for layer, j in heads:

        def hook(module, inputs, output, j=j):
            output = output.clone()
            output[:rows, positions, j * size : (j + 1) * size] = output[
                rows:, positions, j * size : (j + 1) * size
            ]
            return output

        handles.append(model.blocks[layer].attention.query.register_forward_hook(hook))
    logits = model(torch.cat([tokens, source]))[0][:rows]
    for handle in handles:
        handle.remove()
    return logits


def after_the_projection(model, tokens, source, heads, positions):
    """You patch the output of the projection. There the heads are already mixed, so no slice belongs to one
    head. Patch its input.
    """
    size, rows = model.config.d_model // model.config.n_head, len(tokens)
    handles = []
    for layer, j in heads:

        def hook(module, inputs, output, j=j):
            output = output.clone()
            output[:rows, positions, j * size : (j + 1) * size] = output[
                rows:, positions, j * size : (j + 1) * size
            ]
            return output

        handles.append(model.blocks[layer].attention.projection.register_forward_hook(hook))
    logits = model(torch.cat([tokens, source]))[0][:rows]
    for handle in handles:
        handle.remove()
    return logits


def only_one_position(model, tokens, source, heads, positions):
    """You patch only the last of the positions. All of them should change."""
    size, rows = model.config.d_model // model.config.n_head, len(tokens)
    handles = []
    for layer, j in heads:

        def hook(module, inputs, j=j):
            merged = inputs[0].clone()
            merged[:rows, positions[-1:], j * size : (j + 1) * size] = merged[
                rows:, positions[-1:], j * size : (j + 1) * size
            ]
            return merged

        handles.append(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
    logits = model(torch.cat([tokens, source]))[0][:rows]
    for handle in handles:
        handle.remove()
    return logits


def tokens_exchanged(model, tokens, source, heads, positions):
    """You put the characters of `source` at these positions. That changes all heads of all layers. Change the
    outputs of the given heads only.
    """
    changed = tokens.clone()
    changed[:, positions] = source[:, positions]
    return model(changed)[0]


REJECTED = (
    at_every_position,
    the_whole_layer,
    the_wrong_way,
    source_alone,
    nothing_stored,
    late_binding,
    hook_left_behind,
    values_patched,
    queries_patched,
    after_the_projection,
    only_one_position,
    tokens_exchanged,
)
