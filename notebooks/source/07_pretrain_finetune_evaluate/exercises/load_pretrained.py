"""Exercise load_pretrained: all of the weights, or an error."""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised, Build
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.experiments.small_models import rehearsal

Weights = dict[str, Tensor]


def weights_of(seed: int) -> Weights:
    """The parameters of a small GPT, by name."""
    return {name: parameter.detach().clone() for name, parameter in rehearsal(seed).state_dict().items()}


MODELS = "kqa_core.experiments.small_models"


def blank(seed: int) -> Build:
    """Another GPT of the same shape."""
    return Build(f"{MODELS}:rehearsal", (seed,))


def loaded(answer: Answer, model: Build, weights: Weights) -> Weights:
    """The parameters after loading, as the answer returns them.
    Raises NotYet if it returns none, or refuses the weights.
    """
    try:
        state = answer(model, weights)
    except AnswerRaised as raised:
        if raised.kind != "ValueError":
            raise
        raise NotYet(
            "these weights fit the model once the prefixes are removed, but your function refuses them"
        ) from None
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
    raise NotYet(f"{what}, but your function accepts them: raise ValueError")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Ordinary weights; weights with prefixes; weights with one missing."""
    ours, theirs = rng.getrandbits(30), weights_of(rng.getrandbits(30))
    expect(
        same(loaded(answer, blank(ours), theirs), theirs),
        "after loading, the model does not have the weights it was given",
    )
    for prefix in ("_orig_mod.", "module.", "module._orig_mod."):
        named = {f"{prefix}{name}": tensor for name, tensor in theirs.items()}
        expect(
            same(loaded(answer, blank(ours), named), theirs),
            f"when all names begin with {prefix!r}, your model does not have the weights afterwards",
        )
    short = {name: tensor for name, tensor in theirs.items() if name != "head.weight"}
    refuses(answer, blank(ours), short, "the weights lack head.weight")
    return right("all weights are loaded, and weights that do not fit are refused")


EXERCISE = Exercise(
    id="load_pretrained",
    title="Load pretrained weights",
    order=8,
    points=2,
    difficulty=2,
    importance=4,
    minutes=15,
    source="CS224n A5 2(d): run.py finetune --reading_params_path",
    hints=(
        "What does load_state_dict(..., strict=False) do when not a single name fits?",
        (
            "Remove the prefixes from the names. With strict=True, its default, load_state_dict compares"
            " names and shapes for you. Which error does it raise?"
        ),
        (
            '`name.removeprefix("module.")` removes one prefix; repeat it while a name still begins with one.'
            " `model.load_state_dict(cleaned)` raises a RuntimeError if names or shapes differ: catch it and"
            " raise a ValueError in its place. Then return model.state_dict()."
        ),
    ),
    check=check,
)
