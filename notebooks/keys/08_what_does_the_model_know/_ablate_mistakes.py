"""Wrong answers to ablate_heads. The docstring of each is the feedback for the
students who made that mistake.
"""

from __future__ import annotations

import copy

import torch


def hook_left_behind(model, tokens, new):
    """The hooks stay in the model after the call, so all its later answers are changed too.
    Remove each hook after the forward pass, for example with a `with` block.
    """
    size = model.config.d_model // model.config.n_head
    for (layer, j), vector in new.items():

        def hook(module, inputs, j=j, vector=vector):
            merged = inputs[0].clone()
            merged[..., j * size : (j + 1) * size] = vector
            return merged

        model.blocks[layer].attention.projection.register_forward_pre_hook(hook)
    return model(tokens)[0]


def weights_zeroed(model, tokens, new):
    """You change the weights of the model itself, so the head is gone for good.
    Work on a copy, or use a hook and remove it.
    """
    size = model.config.d_model // model.config.n_head
    with torch.no_grad():
        for (layer, j), vector in new.items():
            projection = model.blocks[layer].attention.projection
            columns = projection.weight[:, j * size : (j + 1) * size]
            projection.bias += columns @ vector
            columns.zero_()
    return model(tokens)[0]


def late_binding(model, tokens, new):
    """Hooks that are made in a loop read the loop's variables when they run. By then the loop is over, so
    all of them change the last head.
    """
    size = model.config.d_model // model.config.n_head
    handles = []
    for (layer, j), vector in new.items():

        def hook(module, inputs):
            merged = inputs[0].clone()
            merged[..., j * size : (j + 1) * size] = vector  # the mistake itself
            return merged

        handles.append(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
    logits = model(tokens)[0]
    for handle in handles:
        handle.remove()
    return logits


def after_the_projection(model, tokens, new):
    """You change the output of the projection. There the heads are already mixed, so no slice belongs to one
    head. Change its input.
    """
    size = model.config.d_model // model.config.n_head
    handles = []
    for (layer, j), vector in new.items():

        def hook(module, inputs, output, j=j, vector=vector):
            output = output.clone()
            output[..., j * size : (j + 1) * size] = vector
            return output

        handles.append(model.blocks[layer].attention.projection.register_forward_hook(hook))
    logits = model(tokens)[0]
    for handle in handles:
        handle.remove()
    return logits


def rows_of_the_matrix(model, tokens, new):
    """You clear rows of W_O. torch stores W_O as (out, in),
    so the entries of a head enter through its columns.
    """
    edited = copy.deepcopy(model)
    size = model.config.d_model // model.config.n_head
    with torch.no_grad():
        for (layer, j), vector in new.items():
            projection = edited.blocks[layer].attention.projection
            rows = projection.weight[j * size : (j + 1) * size]
            projection.bias += rows.T @ vector
            rows.zero_()
    return edited(tokens)[0]


def every_nth_entry(model, tokens, new):
    """You take every n_head-th entry for a head.
    Head j should have the entries j·d_head to (j + 1)·d_head − 1, side by side.
    """
    n_head = model.config.n_head
    handles = []
    for (layer, j), vector in new.items():

        def hook(module, inputs, j=j, vector=vector):
            merged = inputs[0].clone()
            merged[..., j::n_head] = vector
            return merged

        handles.append(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
    logits = model(tokens)[0]
    for handle in handles:
        handle.remove()
    return logits


def always_zero(model, tokens, new):
    """You set the output of the head to zero, whatever its vector is. Put the given vector there."""
    edited = copy.deepcopy(model)
    size = model.config.d_model // model.config.n_head
    with torch.no_grad():
        for layer, j in new:
            edited.blocks[layer].attention.projection.weight[:, j * size : (j + 1) * size] = 0
    return edited(tokens)[0]


def the_whole_layer(model, tokens, new):
    """You replace the outputs of all heads of the layer. Only the heads in `new` should change."""
    n_head = model.config.n_head
    handles = []
    for (layer, _), vector in new.items():
        handles.append(
            model.blocks[layer].attention.projection.register_forward_pre_hook(
                lambda module, inputs, vector=vector: vector.repeat(n_head).expand_as(inputs[0])
            )
        )
    logits = model(tokens)[0]
    for handle in handles:
        handle.remove()
    return logits


def every_layer(model, tokens, new):
    """You replace the head in every layer. The first number of the pair says which layer is meant."""
    size = model.config.d_model // model.config.n_head
    handles = []
    for (_, j), vector in new.items():

        def hook(module, inputs, j=j, vector=vector):
            merged = inputs[0].clone()
            merged[..., j * size : (j + 1) * size] = vector
            return merged

        handles += [block.attention.projection.register_forward_pre_hook(hook) for block in model.blocks]
    logits = model(tokens)[0]
    for handle in handles:
        handle.remove()
    return logits


def the_last_position(model, tokens, new):
    """You replace the output of the head at the last position only.
    It should be replaced at every position of the row.
    """
    size = model.config.d_model // model.config.n_head
    handles = []
    for (layer, j), vector in new.items():

        def hook(module, inputs, j=j, vector=vector):
            merged = inputs[0].clone()
            merged[:, -1, j * size : (j + 1) * size] = vector
            return merged

        handles.append(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
    logits = model(tokens)[0]
    for handle in handles:
        handle.remove()
    return logits


def queries_removed(model, tokens, new):
    """You set the queries of the head to zero. Then all its logits are equal and it averages the values; it
    is not gone. Replace its output.
    """
    size = model.config.d_model // model.config.n_head
    handles = []
    for (layer, j), vector in new.items():

        def hook(module, inputs, output, j=j, vector=vector):
            output = output.clone()
            output[..., j * size : (j + 1) * size] = vector
            return output

        handles.append(model.blocks[layer].attention.query.register_forward_hook(hook))
    logits = model(tokens)[0]
    for handle in handles:
        handle.remove()
    return logits


def in_training_mode(model, tokens, new):
    """In training mode, dropout makes every result random: leave the model in evaluation mode."""
    edited = copy.deepcopy(model).train()
    size = model.config.d_model // model.config.n_head
    with torch.no_grad():
        for (layer, j), vector in new.items():
            projection = edited.blocks[layer].attention.projection
            columns = projection.weight[:, j * size : (j + 1) * size]
            projection.bias += columns @ vector
            columns.zero_()
    return edited(tokens)[0]


def with_the_loss(model, tokens, new):
    """You return the pair (logits, loss) of the model. Return the logits alone."""
    edited = copy.deepcopy(model)
    size = model.config.d_model // model.config.n_head
    with torch.no_grad():
        for (layer, j), vector in new.items():
            projection = edited.blocks[layer].attention.projection
            columns = projection.weight[:, j * size : (j + 1) * size]
            projection.bias += columns @ vector
            columns.zero_()
    return edited(tokens)


def one_at_a_time(model, tokens, new):
    """Only the last head of `new` is replaced in the result, as when the model runs once for each head.
    All heads of `new` should be replaced in the same pass.
    """
    size = model.config.d_model // model.config.n_head
    logits = model(tokens)[0]
    for (layer, j), vector in new.items():

        def hook(module, inputs, j=j, vector=vector):
            merged = inputs[0].clone()
            merged[..., j * size : (j + 1) * size] = vector
            return merged

        with model.blocks[layer].attention.projection.register_forward_pre_hook(hook):
            logits = model(tokens)[0]
    return logits


def probabilities(model, tokens, new):
    """You return probabilities. Return the logits, before any softmax."""
    edited = copy.deepcopy(model)
    size = model.config.d_model // model.config.n_head
    with torch.no_grad():
        for (layer, j), vector in new.items():
            projection = edited.blocks[layer].attention.projection
            columns = projection.weight[:, j * size : (j + 1) * size]
            projection.bias += columns @ vector
            columns.zero_()
    return edited(tokens)[0].softmax(-1)


REJECTED = (
    hook_left_behind,
    weights_zeroed,
    late_binding,
    after_the_projection,
    rows_of_the_matrix,
    every_nth_entry,
    always_zero,
    the_whole_layer,
    every_layer,
    the_last_position,
    queries_removed,
    in_training_mode,
    with_the_loss,
    one_at_a_time,
    probabilities,
)
