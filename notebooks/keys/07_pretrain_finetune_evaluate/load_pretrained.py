"""Answer key of load_pretrained."""

from __future__ import annotations

import random
import re

import torch
from course_exercises.load_pretrained import (
    BROKEN,
    MODELS,
    PREFIXES,
    blank,
    broken,
    check,
    prefixed,
    refuses,
    weights_of,
)
from course_keys import _load_pretrained_mistakes

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.experiments.small_models import nested


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """The visible check's tests with other weights, and other names that are none of the prefixes."""
    check(answer, rng)
    ours, theirs = rng.getrandbits(30), weights_of(rng.getrandbits(30))
    for prefix in ("modul.", "orig_mod.", "Module.", "head."):
        names = f"all names begin with {prefix!r}, which is none of the prefixes"
        refuses(answer, blank(ours), prefixed(theirs, prefix), f"the weights do not fit the model ({names})")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A part called module, with and without a buffer and alone; another dtype; a model loaded twice;
    weights that fit under five names; weights that do not fit.
    """
    ours, theirs = rng.getrandbits(30), weights_of(rng.getrandbits(30))
    fitting = [prefixed(theirs, prefix) for prefix in PREFIXES]
    inner = {name: tensor.detach().clone() for name, tensor in nested(ours).state_dict().items()}
    others = weights_of(rng.getrandbits(30))
    bare = nested(ours, seen=False).state_dict()
    only = {name.split(".")[0]: {name: tensor.detach().clone()} for name, tensor in bare.items()}
    calls: list[tuple[object, ...]] = [
        (Build(f"{MODELS}:nested", (ours + 1,)), prefixed(inner, "module.")),
        (Build(f"{MODELS}:nested", (ours + 1, False)), prefixed({n: inner[n] for n in bare}, "module.")),
        *((Build(f"{MODELS}:nested", (ours + 1, False, (part,))), only[part]) for part in only),
        # infinite in the model's float32
        (blank(ours), {name: 1e60 * tensor.double() for name, tensor in theirs.items()}),
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
    own = model.state_dict()
    found = {n: weights[p + n].clone().to(own[n].dtype) for p in prefixes for n in names if p + n in weights}
    if len(found) != len(names) or len(weights) != len(names):
        raise ValueError("names differ")
    if any(found[n].shape != own[n].shape for n in names):
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
