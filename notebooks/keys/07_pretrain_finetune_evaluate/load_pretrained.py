"""Answer key of load_pretrained."""

from __future__ import annotations

import itertools
import random
import re

import torch
from course_exercises.load_pretrained import MODELS, Weights, blank, loaded, refuses, same, weights_of
from course_keys import _load_pretrained_mistakes

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.experiments.small_models import nested

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
        # (12, 8)
        weights["position_embedding"] = torch.cat((weights["position_embedding"], torch.zeros(2, 8)))
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
        weights = {
            ("" if i % 2 else "model.") + name: tensor for i, (name, tensor) in enumerate(weights.items())
        }
    return weights


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every prefix, every way of not fitting, a part that is called module;
    and a look at the model itself.
    """
    ours, theirs = rng.getrandbits(30), weights_of(rng.getrandbits(30))
    for prefix in PREFIXES:
        found = loaded(answer, blank(ours), prefixed(theirs, prefix))
        expect(
            same(found, theirs),
            f"with the prefix {prefix!r}, the model does not have the weights that it was given",
        )
    for how, said in BROKEN.items():
        refuses(answer, blank(ours), broken(theirs, how), f"the weights do not fit the model ({said})")
    seed = rng.getrandbits(30)
    inner = {name: tensor.detach().clone() for name, tensor in nested(seed).state_dict().items()}
    found = loaded(answer, Build(f"{MODELS}:nested", (seed + 1,)), prefixed(inner, "module."))
    seen = found.get("seen")
    buffers = "model.state_dict() also holds buffers, which are not parameters: load them, too"
    expect(seen is None or same({"seen": seen}, {"seen": inner["seen"]}), buffers)
    expect(
        same(found, inner),
        "a name such as first.module.weight must stay as it is: remove prefixes at its beginning only",
    )
    number = next(_numbers)  # first into a model that is kept; then what it has now into another one
    loaded(answer, Build(f"{MODELS}:kept", (number, ours)), theirs)
    found = loaded(answer, blank(ours), Build(f"{MODELS}:weights_kept", (number,)))  # type: ignore[arg-type]  # built over there
    expect(
        same(found, theirs),
        "after your call, the model that you were given does not have the weights: load them into the model",
    )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A part called module; a model loaded twice;
    weights that fit under five names; weights that do not fit.
    """
    ours, theirs = rng.getrandbits(30), weights_of(rng.getrandbits(30))
    fitting = [prefixed(theirs, prefix) for prefix in PREFIXES]
    inner = {name: tensor.detach().clone() for name, tensor in nested(ours).state_dict().items()}
    others = weights_of(rng.getrandbits(30))
    calls: list[tuple[object, ...]] = [
        (Build(f"{MODELS}:nested", (ours + 1,)), prefixed(inner, "module.")),
        (Build(f"{MODELS}:kept", (-1, ours)), theirs),
        (Build(f"{MODELS}:kept", (-1, ours, True)), others),
    ]
    return [
        *calls,
        *((blank(ours), weights) for weights in (*fitting, *(broken(theirs, how) for how in BROKEN))),
    ]


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
    if {name: tensor.shape for name, tensor in own.items()} != {
        name: tensor.shape for name, tensor in cleaned.items()
    }:
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


KEY = AnswerKey(
    id="load_pretrained",
    hidden=hidden,
    reference=load_pretrained,
    accepted=(compares_first, parameter_by_parameter, tells_what_did_not_fit, by_assignment),
    rejected=_load_pretrained_mistakes.REJECTED,
    fingerprint=fingerprint,
    commentary="""
    The regular expression removes any number of prefixes, but at the beginning of a name only. After that,
    `load_state_dict` with its default `strict=True` compares all names and shapes, and raises a RuntimeError
    if anything is missing, left over or of another shape. Catching it and raising a ValueError gives the
    caller one kind of error. The common mistake is `strict=False`: it makes the error message go away and the
    pretrained weights with it.
    """,
)
