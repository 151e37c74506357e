"""Wrong answers to load_pretrained, each with one mistake."""

from __future__ import annotations

import copy
import re


def not_strict(model, weights):
    """You load with strict=False. This loads what fits and does not report the rest. With a prefix on the
    names, not one weight is loaded.
    """
    try:
        model.load_state_dict(weights, strict=False)
    except RuntimeError:
        raise ValueError("shapes differ") from None
    return model.state_dict()


def prefix_but_not_strict(model, weights):
    """You remove the prefixes, but strict=False accepts missing and unexpected weights silently."""
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(weights, strict=False)
    except RuntimeError:
        raise ValueError("shapes differ") from None
    return model.state_dict()


def what_fits(model, weights):
    """You load the weights that fit and keep the model's own for the rest.
    Raise ValueError if anything does not fit.
    """
    own = model.state_dict()
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    own.update(
        {name: tensor for name, tensor in weights.items() if name in own and own[name].shape == tensor.shape}
    )
    model.load_state_dict(own)
    return model.state_dict()


def as_torch_raises(model, weights):
    """You let load_state_dict raise its RuntimeError. The exercise asks for a ValueError."""
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    model.load_state_dict(weights)
    return model.state_dict()


def only_compiled(model, weights):
    """You remove "_orig_mod." only. The names of a data-parallel model begin with "module."."""
    weights = {name.removeprefix("_orig_mod."): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None
    return model.state_dict()


def always_cuts(model, weights):
    """You cut every name at its first full stop, prefix or not. Names such as "blocks.0" have one, too."""
    if all("." in name and name.split(".", 1)[1] in model.state_dict() for name in weights):
        weights = {name.split(".", 1)[1]: tensor for name, tensor in weights.items()}
    else:
        weights = {name.split(".", 1)[-1]: tensor for name, tensor in weights.items()}
    model.load_state_dict(weights, strict=False)
    return model.state_dict()


def parameters_only(model, weights):
    """You load the parameters and not the buffers. model.state_dict() holds both: load all of it."""
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    if {n: w.shape for n, w in weights.items()} != {n: w.shape for n, w in model.state_dict().items()}:
        raise ValueError("these weights are not this model's")
    for name, parameter in model.named_parameters():
        parameter.data.copy_(weights[name])
    return model.state_dict()


def spread_over_the_shape(model, weights):
    """You copy a tensor of another shape, and torch repeats its one number.
    Compare the shapes, and raise ValueError.
    """
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    if weights.keys() != model.state_dict().keys():
        raise ValueError("these weights are not this model's")
    try:
        for name, tensor in model.state_dict().items():
            tensor.copy_(weights[name])
    except RuntimeError:
        raise ValueError("shapes differ") from None
    return model.state_dict()


def state_from_before(model, weights):
    """You return the weights that the model had before. Return model.state_dict() after loading."""
    before = copy.deepcopy(model.state_dict())
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None
    return before


def into_a_copy(model, weights):
    """`model` itself is unchanged: you load into a copy, or not at all."""
    other = copy.deepcopy(model)
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    try:
        other.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None
    return model.state_dict()


def only_compares(model, weights):
    """`model` itself is unchanged: you load into a copy, or not at all."""
    own = model.state_dict()
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    if {name: tensor.shape for name, tensor in own.items()} != {
        name: tensor.shape for name, tensor in weights.items()
    }:
        raise ValueError("these weights are not this model's")
    return own


def returns_the_report(model, weights):
    """You return the report of load_state_dict. Return model.state_dict()."""
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    try:
        return list(model.load_state_dict(weights))
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None


def returns_nothing(model, weights):
    """The model has its weights, but you return nothing: return model.state_dict()."""
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None


def returns_what_it_got(model, weights):
    """You return the weights as they came and load nothing. Load them into the model."""
    return weights


def new_head(model, weights):
    """You keep the model's own head. Load all weights, the head included."""
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    if weights.keys() != model.state_dict().keys():
        raise ValueError("these weights are not this model's")
    weights["head.weight"] = model.state_dict()["head.weight"]
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None
    return model.state_dict()


def one_prefix_only(model, weights):
    """You remove one prefix only. A compiled data-parallel model has both, one after the other."""
    for prefix in ("module.", "_orig_mod."):
        if weights and all(name.startswith(prefix) for name in weights):
            weights = {name[len(prefix) :]: tensor for name, tensor in weights.items()}
            break
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None
    return model.state_dict()


def anywhere(model, weights):
    """You remove "module." anywhere in a name.
    Remove it at the beginning only: a part of a model may have this name.
    """
    weights = {
        name.replace("_orig_mod.", "").replace("module.", ""): tensor for name, tensor in weights.items()
    }
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None
    return model.state_dict()


def without_the_dot(model, weights):
    """You take a name that only begins with the letters of a prefix, such as `modules.head`, for one with a
    prefix. The full stop is part of the prefix.
    """
    cleaned = {}
    for name, tensor in weights.items():
        while name.startswith(("module", "_orig_mod")) and name not in model.state_dict():
            name = name.partition(".")[2]
        cleaned[name] = tensor
    try:
        model.load_state_dict(cleaned)
    except RuntimeError:
        raise ValueError("names or shapes differ") from None
    return model.state_dict()


def any_sign_for_the_dot(model, weights):
    """You take `module_` at the beginning of `module_last.weight` for the prefix "module.". The full stop is
    part of the prefix (in a regular expression, write \\.).
    """
    weights = {re.sub("^((module.)|(_orig_mod.))*", "", name): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None
    return model.state_dict()


def the_file(model, weights):
    """A file in float16 gives float16, although the model is in float32: the tensors are the file's, or the
    model has taken its dtype. Copy the values into the model's own tensors.
    """
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None
    return weights


REJECTED = (
    the_file,
    *(not_strict, prefix_but_not_strict, what_fits, as_torch_raises, only_compiled, always_cuts, into_a_copy),
    *(
        only_compares,
        returns_the_report,
        returns_nothing,
        returns_what_it_got,
        new_head,
        one_prefix_only,
        anywhere,
    ),
    *(parameters_only, spread_over_the_shape, state_from_before, without_the_dot, any_sign_for_the_dot),
)
