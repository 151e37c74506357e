"""Exercise load_pretrained: all of the weights, or none of them."""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised, Build
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.models import rehearsal
from kqa_core.check.helpers.read_values import kind_of

Weights = dict[str, Tensor]


def weights_of(seed: int) -> Weights:
    """The parameters of a small GPT, by name."""
    return {name: parameter.detach().clone() for name, parameter in rehearsal(seed).state_dict().items()}


def blank(seed: int) -> Build:
    """Another GPT of the same shape."""
    return Build("kqa_core.check.helpers.models:rehearsal", (seed,))


def loaded(answer: Answer, model: Build, weights: Weights) -> Weights:
    """The parameters after loading, as the answer returns them. Raises NotYet if it returns none, or refuses the
    weights.
    """
    try:
        state = answer(model, weights)
    except AnswerRaised as raised:
        if raised.kind != "ValueError":
            raise
        raise NotYet("these weights fit the model, whatever stands before their names, and your function refuses them") from None
    if not isinstance(state, dict) or not all(type(tensor) is Tensor for tensor in state.values()):
        raise NotYet(f"return model.state_dict(), a dict of tensors; yours is {kind_of(state)}")
    return state


def same(state: Weights, weights: Weights) -> bool:
    """Whether two sets of parameters agree to the last bit."""
    return state.keys() == weights.keys() and all(torch.equal(state[name], weights[name]) for name in weights)


def refuses(answer: Answer, model: Build, weights: Weights, what: str) -> None:
    """Expect a ValueError. Raises NotYet if the answer accepts the weights, or raises another error."""
    try:
        answer(model, weights)
    except AnswerRaised as raised:
        if raised.stub:
            raise
        expect(raised.kind == "ValueError", f"{what}: raise ValueError; yours raises {raised.kind}")
        return
    raise NotYet(f"{what}, and your function goes on as if nothing were amiss: raise ValueError")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Ordinary weights; weights of a compiled model; weights with one missing."""
    ours, theirs = rng.getrandbits(30), weights_of(rng.getrandbits(30))
    expect(same(loaded(answer, blank(ours), theirs), theirs), "after loading, the model does not have the weights it was given")
    compiled = {f"_orig_mod.{name}": tensor for name, tensor in theirs.items()}
    expect(
        same(loaded(answer, blank(ours), compiled), theirs),
        'weights saved from a compiled model have names that begin with "_orig_mod."; your model does not have them',
    )
    short = {name: tensor for name, tensor in theirs.items() if name != "head.weight"}
    refuses(answer, blank(ours), short, "the weights lack head.weight")
    return right("every weight is where it belongs")


EXERCISE = Exercise(
    id="load_pretrained",
    title="Load pretrained weights",
    order=4,
    points=2,
    difficulty=2,
    importance=4,
    minutes=15,
    source="CS224n A5 2(d): run.py finetune --reading_params_path",
    hints=(
        "What does load_state_dict(..., strict=False) do when not a single name fits?",
        "Take the prefix off the names, compare names and shapes with those of model.state_dict(), complain, and only then load.",
        '`name.removeprefix("module.").removeprefix("_orig_mod.")` cleans a name. `model.load_state_dict(cleaned)` complains of '
        "names and shapes with a RuntimeError: catch it and raise a ValueError in its place, then return model.state_dict().",
    ),
    check=check,
)
