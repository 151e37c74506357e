"""Answer key of load_pretrained."""

from __future__ import annotations

import copy
import itertools
import random
import re

import torch
from course_exercises.load_pretrained import MODELS, Weights, blank, loaded, refuses, same, weights_of

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers.models import nested

BROKEN = {
    "missing": "one name is missing",
    "unexpected": "one name is not in the model",
    "wider": "one tensor is larger than the model's",
    "transposed": "one tensor has another shape with as many entries",
    "one number": "one tensor has shape (1,) in place of (8,)",
    "nothing": "the dict is empty",
    "half prefixed": "half of the names begin with 'model.', which is none of the prefixes",
    "other prefix": "all names begin with 'model.', which is none of the prefixes",
    "modules.": "all names begin with 'modules.', which is none of the prefixes",
    "_orig_model.": "all names begin with '_orig_model.', which is none of the prefixes",
}
PREFIXES = ("", "_orig_mod.", "module.", "module._orig_mod.", "_orig_mod.module.")
_numbers = itertools.count()  # of the models that are kept from one call to the next


def prefixed(weights: Weights, prefix: str) -> Weights:
    """The weights under other names."""
    return {prefix + name: tensor for name, tensor in weights.items()}


def broken(weights: Weights, how: str) -> Weights:
    """Weights that do not fit."""
    weights = dict(weights)
    if how == "missing":
        del weights["blocks.0.attention.query.bias"]
    elif how == "unexpected":
        weights["blocks.1.norm_1.bias"] = torch.zeros(8)
    elif how == "wider":
        weights["position_embedding"] = torch.cat((weights["position_embedding"], torch.zeros(2, 8)))  # (12, 8)
    elif how == "transposed":
        weights["blocks.0.mlp.0.weight"] = weights["blocks.0.mlp.0.weight"].t().contiguous()  # (8, 32)
    elif how == "one number":
        weights["blocks.0.attention.query.bias"] = torch.ones(1)
    elif how == "nothing":
        weights = {}
    elif how == "other prefix":
        weights = prefixed(weights, "model.")
    elif how.endswith("."):
        weights = prefixed(weights, how)
    else:
        weights = {("" if i % 2 else "model.") + name: tensor for i, (name, tensor) in enumerate(weights.items())}
    return weights


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every prefix, every way of not fitting, a part that is called module; and a look at the model itself."""
    ours, theirs = rng.getrandbits(30), weights_of(rng.getrandbits(30))
    for prefix in PREFIXES:
        found = loaded(answer, blank(ours), prefixed(theirs, prefix))
        expect(same(found, theirs), f"with the prefix {prefix!r}, the model does not have the weights that it was given")
    for how, said in BROKEN.items():
        refuses(answer, blank(ours), broken(theirs, how), f"the weights do not fit the model ({said})")
    seed = rng.getrandbits(30)
    inner = {name: tensor.detach().clone() for name, tensor in nested(seed).state_dict().items()}
    found = loaded(answer, Build(f"{MODELS}:nested", (seed + 1,)), prefixed(inner, "module."))
    seen = found.get("seen")
    buffers = "model.state_dict() also holds buffers, which are not parameters: load them, too"
    expect(seen is None or same({"seen": seen}, {"seen": inner["seen"]}), buffers)
    expect(same(found, inner), "a name such as first.module.weight must stay as it is: remove prefixes at its beginning only")
    number = next(_numbers)  # first into a model that is kept; then what it has now into another one
    loaded(answer, Build(f"{MODELS}:kept", (number, ours)), theirs)
    found = loaded(answer, blank(ours), Build(f"{MODELS}:weights_kept", (number,)))  # type: ignore[arg-type]  # built over there
    expect(
        same(found, theirs), "after your call, the model that you were given does not have the weights: load them into the model"
    )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A part called module; a model loaded twice; weights that fit under five names; weights that do not fit."""
    ours, theirs = rng.getrandbits(30), weights_of(rng.getrandbits(30))
    fitting = [prefixed(theirs, prefix) for prefix in PREFIXES]
    inner = {name: tensor.detach().clone() for name, tensor in nested(ours).state_dict().items()}
    others = weights_of(rng.getrandbits(30))
    calls: list[tuple[object, ...]] = [
        (Build(f"{MODELS}:nested", (ours + 1,)), prefixed(inner, "module.")),
        (Build(f"{MODELS}:kept", (-1, ours)), theirs),
        (Build(f"{MODELS}:kept", (-1, ours, True)), others),
    ]
    return [*calls, *((blank(ours), weights) for weights in (*fitting, *(broken(theirs, how) for how in BROKEN)))]


def load_pretrained(model, weights):
    """The reference."""
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(weights)
    except RuntimeError as problem:
        raise ValueError(f"these weights are not this model's: {problem}") from None
    return model.state_dict()


def compares_first(model, weights):
    """Looks at names and shapes before anything is loaded."""
    cleaned = {}
    for name, tensor in weights.items():
        while name.startswith(("module.", "_orig_mod.")):
            name = name.partition(".")[2]
        cleaned[name] = tensor
    own = model.state_dict()
    if {name: tensor.shape for name, tensor in own.items()} != {name: tensor.shape for name, tensor in cleaned.items()}:
        raise ValueError("names or shapes differ")
    model.load_state_dict(cleaned)
    return model.state_dict()


def parameter_by_parameter(model, weights):
    """Copies in place."""
    left = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            if name not in left or left[name].shape != tensor.shape:
                raise ValueError(f"{name} is missing or of another shape")
            tensor.copy_(left.pop(name))
    if left:
        raise ValueError(f"not in the model: {sorted(left)}")
    return model.state_dict()


def tells_what_did_not_fit(model, weights):
    """Loads what fits and raises if anything did not."""
    short = weights
    for prefix in ("module.", "_orig_mod.", "module."):
        short = {name.removeprefix(prefix): tensor for name, tensor in short.items()}
    try:
        outcome = model.load_state_dict(short, strict=False)
    except RuntimeError as shapes:
        raise ValueError("shapes differ") from shapes
    if outcome.missing_keys or outcome.unexpected_keys:
        raise ValueError(f"missing {outcome.missing_keys}, unexpected {outcome.unexpected_keys}")
    return model.state_dict()


def by_assignment(model, weights):
    """Lets the tensors become the parameters, after copying them."""
    names = list(model.state_dict())
    prefixes = ("", "module.", "_orig_mod.", "module._orig_mod.", "_orig_mod.module.")
    found = {n: weights[p + n].clone() for p in prefixes for n in names if p + n in weights}
    if len(found) != len(names) or len(weights) != len(names):
        raise ValueError("names differ")
    if any(found[n].shape != model.state_dict()[n].shape for n in names):
        raise ValueError("shapes differ")
    model.load_state_dict(found, assign=True)
    return model.state_dict()


def not_strict(model, weights):
    """strict=False loads what fits and does not report the rest. With a prefix on the names, not one weight is loaded."""
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
    """You load the weights that fit and keep the model's own for the rest. Raise ValueError if anything does not fit."""
    own = model.state_dict()
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    own.update({name: tensor for name, tensor in weights.items() if name in own and own[name].shape == tensor.shape})
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
    """You copy a tensor of another shape, and torch repeats its one number. Compare the shapes, and raise ValueError."""
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
    """You load into a copy. The model itself is unchanged."""
    other = copy.deepcopy(model)
    weights = {re.sub(r"^(module\.|_orig_mod\.)+", "", name): tensor for name, tensor in weights.items()}
    try:
        other.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None
    return model.state_dict()


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
    """You remove "module." anywhere in a name. Remove it at the beginning only: a part of a model may have this name."""
    weights = {name.replace("_orig_mod.", "").replace("module.", ""): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None
    return model.state_dict()


def without_the_dot(model, weights):
    """You take a name that only begins with the letters of a prefix, such as `modules.head`, for one with a prefix. The full
    stop is part of the prefix.
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


KEY = AnswerKey(
    id="load_pretrained",
    hidden=hidden,
    reference=load_pretrained,
    accepted=(compares_first, parameter_by_parameter, tells_what_did_not_fit, by_assignment),
    rejected=(
        *(not_strict, prefix_but_not_strict, what_fits, as_torch_raises, only_compiled, always_cuts, into_a_copy),
        *(returns_the_report, returns_nothing, returns_what_it_got, new_head, one_prefix_only, anywhere),
        *(parameters_only, spread_over_the_shape, state_from_before, without_the_dot),
    ),
    fingerprint=fingerprint,
    commentary="""
    The regular expression removes any number of prefixes, but at the beginning of a name only. After that, `load_state_dict`
    with its default `strict=True` compares all names and shapes, and raises a RuntimeError if anything is missing, left over or
    of another shape. Catching it and raising a ValueError gives the caller one kind of error. The common mistake is
    `strict=False`: it makes the error message go away and the pretrained weights with it.
    """,
)
