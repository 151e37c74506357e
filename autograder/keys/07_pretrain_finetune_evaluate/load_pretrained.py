"""Answer key of load_pretrained."""

from __future__ import annotations

import copy
import random
import re

import torch
from course_exercises.load_pretrained import Weights, blank, loaded, refuses, same, weights_of

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right

BROKEN = ("missing", "unexpected", "wider", "transposed", "nothing", "half prefixed")


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
    elif how == "nothing":
        weights = {}
    else:
        weights = {("" if i % 2 else "model.") + name: tensor for i, (name, tensor) in enumerate(weights.items())}
    return weights


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every prefix, then every way of not fitting."""
    ours, theirs = rng.getrandbits(30), weights_of(rng.getrandbits(30))
    for prefix, sort in (("", "plain"), ("_orig_mod.", "a compiled model's"), ("module.", "a data-parallel model's")):
        found = loaded(answer, blank(ours), prefixed(theirs, prefix))
        expect(same(found, theirs), f"with {sort} names, the model does not have the weights it was given")
    for how in BROKEN:
        refuses(answer, blank(ours), broken(theirs, how), "the weights do not fit the model")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Weights that fit under three names, then weights that do not."""
    ours, theirs = rng.getrandbits(30), weights_of(rng.getrandbits(30))
    fitting = [prefixed(theirs, prefix) for prefix in ("", "_orig_mod.", "module.")]
    return [(blank(ours), weights) for weights in (*fitting, *(broken(theirs, how) for how in BROKEN))]


def load_pretrained(model, weights):
    """The reference."""
    weights = {name.removeprefix("module.").removeprefix("_orig_mod."): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(weights)
    except RuntimeError as problem:
        raise ValueError(f"these weights are not this model's: {problem}") from None
    return model.state_dict()


def compares_first(model, weights):
    """Looks at names and shapes before anything is loaded."""
    cleaned = {}
    for name, tensor in weights.items():
        for prefix in ("module.", "_orig_mod."):
            if name.startswith(prefix):
                name = name[len(prefix) :]
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
        for name, parameter in model.named_parameters():
            if name not in left or left[name].shape != parameter.shape:
                raise ValueError(f"{name} is missing or of another shape")
            parameter.copy_(left.pop(name))
    if left:
        raise ValueError(f"not in the model: {sorted(left)}")
    return model.state_dict()


def tells_what_did_not_fit(model, weights):
    """Loads what fits and raises if anything did not."""
    short = {name.split("_orig_mod.")[-1].split("module.")[-1]: tensor for name, tensor in weights.items()}
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
    found = {n: weights[p + n].clone() for p in ("", "module.", "_orig_mod.") for n in names if p + n in weights}
    if len(found) != len(names) or len(weights) != len(names):
        raise ValueError("names differ")
    if any(found[n].shape != model.state_dict()[n].shape for n in names):
        raise ValueError("shapes differ")
    model.load_state_dict(found, assign=True)
    return model.state_dict()


def not_strict(model, weights):
    """strict=False loads whatever fits and says nothing of the rest: with a prefix on the names not a single weight is
    loaded.
    """
    try:
        model.load_state_dict(weights, strict=False)
    except RuntimeError:
        raise ValueError("shapes differ") from None
    return model.state_dict()


def prefix_but_not_strict(model, weights):
    """You take the prefix off, but strict=False lets missing and unexpected weights pass without a word."""
    weights = {name.removeprefix("module.").removeprefix("_orig_mod."): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(weights, strict=False)
    except RuntimeError:
        raise ValueError("shapes differ") from None
    return model.state_dict()


def what_fits(model, weights):
    """You load the weights whose shapes fit and leave the others as they were: half a pretrained model is none."""
    own = model.state_dict()
    weights = {name.removeprefix("module.").removeprefix("_orig_mod."): tensor for name, tensor in weights.items()}
    own.update({name: tensor for name, tensor in weights.items() if name in own and own[name].shape == tensor.shape})
    model.load_state_dict(own)
    return model.state_dict()


def as_torch_raises(model, weights):
    """load_state_dict raises a RuntimeError; the exercise asks for a ValueError, since it is the value that is wrong."""
    weights = {name.removeprefix("module.").removeprefix("_orig_mod."): tensor for name, tensor in weights.items()}
    model.load_state_dict(weights)
    return model.state_dict()


def only_compiled(model, weights):
    """You take off "_orig_mod." only; a data-parallel model's names begin with "module."."""
    weights = {name.removeprefix("_orig_mod."): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None
    return model.state_dict()


def always_cuts(model, weights):
    """You cut every name at its first full stop, prefix or not: "blocks.0" has one too."""
    if all("." in name and name.split(".", 1)[1] in model.state_dict() for name in weights):
        weights = {name.split(".", 1)[1]: tensor for name, tensor in weights.items()}
    else:
        weights = {name.split(".", 1)[-1]: tensor for name, tensor in weights.items()}
    model.load_state_dict(weights, strict=False)
    return model.state_dict()


def into_a_copy(model, weights):
    """You load into a copy: the model itself is as it was."""
    other = copy.deepcopy(model)
    weights = {name.removeprefix("module.").removeprefix("_orig_mod."): tensor for name, tensor in weights.items()}
    try:
        other.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None
    return model.state_dict()


def returns_the_report(model, weights):
    """You return what load_state_dict returns, its report on the names; return model.state_dict()."""
    weights = {name.removeprefix("module.").removeprefix("_orig_mod."): tensor for name, tensor in weights.items()}
    try:
        return list(model.load_state_dict(weights))
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None


def returns_nothing(model, weights):
    """The model has its weights, but you return nothing: return model.state_dict()."""
    weights = {name.removeprefix("module.").removeprefix("_orig_mod."): tensor for name, tensor in weights.items()}
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None


def returns_what_it_got(model, weights):
    """You return the weights as they came and load nothing: the model is as it was, and a misfit goes unnoticed."""
    return weights


def new_head(model, weights):
    """You leave the head as it was, as for a new task; here the head predicts characters before and after, so load it too."""
    weights = {name.removeprefix("module.").removeprefix("_orig_mod."): tensor for name, tensor in weights.items()}
    if weights.keys() != model.state_dict().keys():
        raise ValueError("these weights are not this model's")
    weights["head.weight"] = model.state_dict()["head.weight"]
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise ValueError("these weights are not this model's") from None
    return model.state_dict()


KEY = AnswerKey(
    id="load_pretrained",
    hidden=hidden,
    reference=load_pretrained,
    accepted=(compares_first, parameter_by_parameter, tells_what_did_not_fit, by_assignment),
    rejected=(
        *(not_strict, prefix_but_not_strict, what_fits, as_torch_raises, only_compiled, always_cuts, into_a_copy),
        *(returns_the_report, returns_nothing, returns_what_it_got, new_head),
    ),
    fingerprint=fingerprint,
)
