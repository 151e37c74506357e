"""Exercise load_pretrained: all of the weights, or an error."""

from __future__ import annotations

import itertools
import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised, Build
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.transformer_parts import differing
from kqa_core.experiments.small_models import nested, rehearsal

Weights = dict[str, Tensor]
MODELS = "kqa_core.experiments.small_models"
BROKEN = {
    "missing": "one name is missing",
    "unexpected": "one name is not in the model",
    "wider": "one tensor is larger than the model's",
    "transposed": "one tensor has another shape with as many entries",
    "one number": "one tensor has shape (1,) in place of (8,)",
    "column": "one tensor has shape (8, 1) in place of (8,)",
    "nothing": "the dict is empty",
    "half prefixed": "half of the names begin with 'model.', which is none of the prefixes",
    "other prefix": "all names begin with 'model.', which is none of the prefixes",
    "modules.": "all names begin with 'modules.', which is none of the prefixes",
    "_orig_model.": "all names begin with '_orig_model.', which is none of the prefixes",
}
PREFIXES = ("", "_orig_mod.", "module.", "module._orig_mod.", "_orig_mod.module.")
_numbers = itertools.count()  # of the models that are kept from one call to the next


def weights_of(seed: int) -> Weights:
    """The parameters of a small GPT, by name."""
    return {name: parameter.detach().clone() for name, parameter in rehearsal(seed).state_dict().items()}


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
    elif how == "column":
        weights["blocks.0.attention.query.bias"] = weights["blocks.0.attention.query.bias"][:, None]
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
        inside = [name for name in weights if "blocks.0" in name][:1]
        names = list(dict.fromkeys((*list(weights)[:1], *inside)))
        shown = " and ".join(map(repr, names))
        if not any(name.startswith(("module.", "_orig_mod.")) for name in weights):
            raise NotYet(
                f"these weights have the model's own names, without a prefix, such as {shown}, but your"
                " function refuses them"
            ) from None
        number = "two of the names are" if len(names) > 1 else "one of the names is"
        if any(name.endswith("seen") for name in weights):
            shown += ", that of a buffer"
        raise NotYet(
            "these weights fit the model once the prefixes at the beginning of their names are removed, but"
            f" your function refuses them; {number} {shown}"
        ) from None
    if not isinstance(state, dict):
        raise NotYet(f"return model.state_dict(), a dict of tensors; yours is {kind_of(state)}")
    for name, tensor in state.items():
        if type(tensor) is not Tensor:
            raise NotYet(
                f"return model.state_dict(), a dict of tensors; yours holds {kind_of(tensor)} at {name!r}"
            )
    return state


def given_back(state: Weights, weights: Weights, when: str) -> None:
    """Raise NotYet unless the returned weights are these, to the last bit, and in dtype."""
    if other := sorted(state.keys() ^ weights.keys()):
        raise NotYet(
            f"{when}, {other[0]!r} is {'a name' if other[0] in state else 'no name'} in the dict that you"
            f" return, and it is {'a name' if other[0] in weights else 'none'} in model.state_dict()"
        )
    for name, tensor in weights.items():
        expect(
            state[name].dtype == tensor.dtype,
            f"{when}, {name!r} should be {tensor.dtype} in the dict that you return, as in the model; it is"
            f" {state[name].dtype}",
        )
    for name, tensor in weights.items():
        expect(
            torch.equal(state[name], tensor),
            f"{when}, {name!r} in the dict that you return does not have the values that were given"
            f"{differing(state[name], tensor)}",
        )


def same(state: Weights, weights: Weights) -> bool:
    """Whether two sets of parameters agree to the last bit, and in dtype."""
    return state.keys() == weights.keys() and all(
        state[name].dtype == weights[name].dtype and torch.equal(state[name], weights[name])
        for name in weights
    )


def in_another_order(weights: Weights) -> Weights:
    """The same weights; in the place of each is one of the same shape, the last ones first."""
    of_shape: dict[torch.Size, list[str]] = {}
    for name, tensor in weights.items():
        of_shape.setdefault(tensor.shape, []).append(name)
    names = [of_shape[tensor.shape].pop() for tensor in weights.values()]
    return {name: weights[name] for name in names}


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
    """Every prefix, every way of not fitting, another dtype, a part that is called module, a buffer;
    and a look at the model itself.
    """
    ours, theirs = rng.getrandbits(30), weights_of(rng.getrandbits(30))
    for prefix in PREFIXES:
        when = f"with the prefix {prefix!r}" if prefix else "with no prefix"
        given_back(loaded(answer, blank(ours), prefixed(theirs, prefix)), theirs, when)
    found = loaded(answer, blank(ours), in_another_order(theirs))
    given_back(found, theirs, "with the weights in another order")
    for how, said in BROKEN.items():
        refuses(answer, blank(ours), broken(theirs, how), f"the weights do not fit the model ({said})")
    halves = {name: tensor.half() for name, tensor in theirs.items()}
    found = loaded(answer, blank(ours), halves)
    given_back(found, {name: tensor.float() for name, tensor in halves.items()}, "with a file of float16")
    found = loaded(answer, Build(f"{MODELS}:rehearsal", (ours, True)), theirs)
    wanted = {name: tensor.double() for name, tensor in theirs.items()}
    given_back(found, wanted, "with a file of float32 and a model of float64")
    seed = rng.getrandbits(30)
    for prefix, part in itertools.product(("", "module."), ("first", "module_last")):
        bare = {
            name: tensor.detach().clone()
            for name, tensor in nested(seed, False, (part,)).state_dict().items()
        }
        found = loaded(answer, Build(f"{MODELS}:nested", (seed + 1, False, (part,))), prefixed(bare, prefix))
        given_back(found, bare, f"with the name {prefix + next(iter(bare))!r}")
    inner = {name: tensor.detach().clone() for name, tensor in nested(seed).state_dict().items()}
    found = loaded(answer, Build(f"{MODELS}:nested", (seed + 1,)), prefixed(inner, "module."))
    seen = found.get("seen")
    if seen is not None and not same({"seen": seen}, {"seen": inner["seen"]}):
        raise NotYet(
            "with the buffer 'seen' beside the weights, it does not have the values that were given"
            f"{differing(seen, inner['seen'])}"
        )
    given_back(found, inner, "with a buffer beside the weights")
    number = next(_numbers)  # first into a model that is kept; then what it has now into another one
    loaded(answer, Build(f"{MODELS}:kept", (number, ours)), theirs)
    found = loaded(answer, blank(ours), Build(f"{MODELS}:weights_kept", (number,)))  # type: ignore[arg-type]  # built over there
    expect(
        same(found, theirs),
        "after your call, the model that you were given does not have the weights that you return",
    )
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
