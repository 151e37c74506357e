"""Helpers for the checks of notebook 04: telling inputs, torch's kernels as oracles, gradients.

- Plain numbers do not show whether a result can be trained. So one call is made with `Followed` tensors:
  what is computed from one is one too, and a handle. Its method `gradients` gives the gradient of each input.
- Tolerances are 0.4·√eps of the dtype, relative to the largest expected entry: 6e-9 in float64, 1.4e-4 in
  float32. Where scores are divided by a root, `ROOT` holds, because `torch.sqrt(torch.tensor(d))` has only 24
  bits, but not where these suffice (`rounding`).
"""

from __future__ import annotations

import importlib
import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeGuard, TypeVar

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised, Build, Handle
from kqa_core.check.exercise import POSSIBLE, NotYet, expect
from kqa_core.check.helpers.read_values import kind_of, told
from kqa_core.exercise_helpers.followed import Followed, followed
from kqa_core.exercise_helpers.other_device import kind_elsewhere

HERE = "kqa_core.exercise_helpers.transformer_parts"
FOLLOWED = "kqa_core.exercise_helpers.followed"
# float32 has 6e-8; a softmax multiplies it by the size of the scores, which is below 100 in our inputs
ROOT = 1e-5
Case = TypeVar("Case", bound=tuple[Any, ...])  # the arguments of one call
SIZES = (
    f"Your code stops for {{}}; it did not in the calls before this one. {POSSIBLE}it does not read every"
    " size from the shapes of the arguments, or does not hold for all allowed sizes (1, too), values and"
    " numbers of axes."
)
DEEP = (
    f"Your code stops for {{}}; it did not in the calls before this one. {POSSIBLE}it calls itself too deeply"
)
SINGLE = "Your code stops for {}, in float32; it did not in the calls before this one"
DTYPES = (
    f"Your code stops where two dtypes are mixed. {POSSIBLE}a tensor is made or converted in another"
    " dtype than that of the arguments"
)
DETACHED = (
    f"No gradient flows back through your output, so it cannot be trained. {POSSIBLE}something cuts it off,"
    " such as detach, no_grad, .data, .item, numpy or a new Parameter."
)
IN_PLACE = (
    f"Your code cannot be trained: it stops when its inputs require gradients. {POSSIBLE}a tensor is changed"
    " in place that was given or is still needed, or a step is not torch's."
)
MIXED = (
    "Your code uses a tensor on the CPU even if its input is on another device, so it would fail on a GPU."
    f" {POSSIBLE}a new tensor is made without device=x.device, and is not moved with .to(x.device)."
)
OTHERS = "For {given} your output is wrong{off}. The calls before this one were right."
NAN_GRADIENT = (
    f"The gradient with respect to {{name}} is not finite. {POSSIBLE}a step gives nan or infinity, or has an"
    " infinite derivative; the gradient flows back through it even if the number is replaced afterwards"
    " (masked_fill lets no gradient through where it fills)."
)
LEAK = (
    "Position {t} of your output changes when only later positions of x change: entry {place} is {one}, and"
    f" then {{other}}. {POSSIBLE}your layer uses the future."
)
FINITE = (
    "where all allowed scores (logits) are far below 0, your output is wrong; the calls before this one were"
    f" right. There, {{entry}}. {POSSIBLE}a forbidden score is only a number that others may fall below; or"
    " scores are cut off, as by clamp; or the largest allowed score of a row is not subtracted before"
    " exponentials"
)
LARGE = "for large scores (logits), some near 250 and some near −250, in float32 your output is"
OVERFLOWS = (
    f"{LARGE} not a finite number. {POSSIBLE}the exponential of a number above 88 is infinite, and of one"
    " below −104 it is 0; first use the mask, if there is one, then subtract the largest score of each row"
)
CUT_OFF = f"{LARGE} wrong: {{entry}}"
NARROW = (
    f"Your output should be {{}}; it is {{}}. {POSSIBLE}you create a tensor of a fixed dtype, or convert one."
)


def draw(rng: random.Random, *shape: int, scale: float = 1.0, dtype: torch.dtype = torch.float64) -> Tensor:
    """Normal numbers of standard deviation `scale`, from a seed that the tensor does not reveal."""
    generator = torch.Generator().manual_seed(rng.getrandbits(48))
    return (scale * torch.randn(*shape, generator=generator, dtype=torch.float64)).to(dtype)


def rounding(width: int) -> float:
    """`within` for scores divided by the root of `width`: 0 if even float32 has that root exactly."""
    return 0.0 if width in (1, 4, 16, 64) else ROOT


def strided(values: Tensor, one: int = 0, other: int = 1) -> Tensor:
    """The same tensor, not contiguous: its first two axes are swapped in memory, or two others."""
    return values.transpose(one, other).contiguous().transpose(one, other)


def tensor_of(result: object, shape: tuple[int, ...], dtype: torch.dtype, what: str) -> Tensor:
    """`result` as a tensor of this shape and dtype with finite entries. Raises NotYet unless it is one."""
    if not isinstance(result, Tensor):
        raise NotYet(f"{what} must be a torch tensor; yours is {kind_of(result)}")
    actual = tuple(result.shape)
    expect(actual == shape, f"{what} must have shape {shape}; yours has shape {actual}")
    expect(
        not result.is_complex() and result.dtype is not torch.bool,
        f"{what} must hold real numbers; yours is {result.dtype}",
    )
    expect(result.is_floating_point(), f"{what} must hold floating-point numbers; yours is {result.dtype}")
    expect(bool(torch.isfinite(result).all()), f"{what} holds nan or an infinite number")
    expect(result.dtype is dtype, NARROW.format(dtype, result.dtype))
    return result


def tensors_of(result: object, names: tuple[str, ...], like: Tensor) -> list[Tensor]:
    """`result` as tensors of `like`'s shape and dtype, one for each name. Raises NotYet unless it is that."""
    listed = f", ({', '.join(names)})"
    listed = listed if len(listed) < 120 else ""  # long names say of which call
    if not isinstance(result, (list, tuple)):
        raise NotYet(f"return a tuple of {len(names)} tensors{listed}; yours is {kind_of(result)}")
    expect(len(result) == len(names), f"return {len(names)} tensors{listed}; yours has {len(result)}")
    return [
        tensor_of(tensor, tuple(like.shape), like.dtype, name)
        for tensor, name in zip(result, names, strict=True)
    ]


def apart(found: Tensor, expected: Tensor, within: float = 0.0) -> float:
    """The largest difference, in units of the tolerance; at most 1 for a right answer.

    The tolerance is that of the dtype or, if it is larger, `within`, times the largest expected entry.
    """
    if not expected.numel():
        return 0.0
    scale = max(float(expected.abs().max()), 1e-12)
    tolerance = max(within, 0.4 * math.sqrt(torch.finfo(expected.dtype).eps)) * scale
    return float((found.double() - expected.double()).abs().max()) / tolerance


def agree(found: Tensor, expected: Tensor, sentence: str, within: float = 0.0) -> None:
    """Raise NotYet(sentence) unless the two are equal up to rounding; `within` as in `apart`. For "{entry}"
    the sentence tells the entry that differs most.
    """
    if apart(found, expected, within) > 1.0:
        raise NotYet(sentence.replace("{entry}", difference(found, expected)))


def difference(found: Tensor, expected: Tensor) -> str:
    """The entry that differs most, with both values: "entry [0, 2] should be 0.25; yours is 0.31"."""
    gap = (found.double() - expected.double()).abs().nan_to_num(nan=torch.inf)
    place = torch.unravel_index(gap.argmax(), gap.shape)
    mine, yours = told(float(expected[place]), float(found[place]))
    where = f"entry [{', '.join(str(int(i)) for i in place)}]" if expected.ndim else "it"
    return f"{where} should be {mine}; yours is {yours}"


def differing(found: Tensor, expected: Tensor) -> str:
    """The same after a colon, and a row of the batch that is right; nothing for a single number."""
    if found.shape != expected.shape:
        return f": its shape should be {tuple(expected.shape)}; yours is {tuple(found.shape)}"
    off = (found.double() - expected.double()).abs()
    rows = off.flatten(1).amax(dim=1).tolist() if expected.ndim > 2 else []
    right = [f" (row {b} of the batch is right)" for b, row in enumerate(rows) if row <= 1e-3 * max(rows)]
    return f": {difference(found, expected)}{''.join(right[:1])}" if expected.ndim else ""


def in_float32(given: Iterable[object]) -> list[Any]:
    """These arguments, with every floating-point tensor in float32."""
    return [each.float() if isinstance(each, Tensor) and each.is_floating_point() else each for each in given]


def agree_if_large(result: object, expected: Tensor) -> None:
    """Raise NotYet unless `result` is this float32 tensor, which large logits have made."""
    if isinstance(result, Tensor) and result.is_floating_point():
        expect(bool(torch.isfinite(result).all()), OVERFLOWS)
    agree(tensor_of(result, tuple(expected.shape), torch.float32, "the output"), expected, CUT_OFF)


def first_leak(one: object, other: object, changed: int) -> None:
    """Raise NotYet if two outputs differ before position `changed`, where their inputs are equal."""
    if not isinstance(one, Tensor) or not isinstance(other, Tensor) or one.shape != other.shape:
        raise NotYet("the output must be a tensor of the input's shape, for every input of that shape")
    for t in range(changed):
        expect(apart(other[:, t], one[:, t]) <= 1e-3, leaked(one[:, t], other[:, t], t))


def leaked(one: Tensor, other: Tensor, t: int) -> str:
    """`LEAK` with the entry (row of the batch, position, place) of position t that changes most."""
    b, *place = torch.unravel_index((other - one).abs().nan_to_num(nan=torch.inf).argmax(), one.shape)
    before, after = told(float(one[b, *place]), float(other[b, *place]))
    return LEAK.format(t=t, place=[int(b), t, *map(int, place)], one=before, other=after)


def again(answer: Answer, *args: object, advice: Mapping[str, str] = {}) -> object:
    """A call with other sizes than the first. If the code stops, NotYet says so, with its sizes.

    `advice` has another sentence for some exceptions (`_advised`).
    """
    try:
        return answer(*args)
    except AnswerRaised as raised:
        moved = any(isinstance(argument, Build) and argument.target == f"{HERE}:strided" for argument in args)
        if raised.stub or moved:  # the order in memory may be the reason
            raise
        mixed = raised.kind == "RuntimeError" and re.search("dtype|scalar type", raised.message)
        dtypes = {each.dtype for each in args if isinstance(each, Tensor) and each.is_floating_point()}
        deep = raised.kind == "RecursionError"
        said = DEEP if deep else DTYPES if mixed else SINGLE if dtypes == {torch.float32} else SIZES
        raise NotYet(_advised(advice, raised) or said.format(_sizes(args))) from raised


def _sizes(args: tuple[object, ...]) -> str:
    """The arguments of a call, short: "arguments of the shapes (2, 3, 4), (4, 4) and the value 2"."""
    shapes = [str(tuple(each.shape)) for each in args if isinstance(each, Tensor)]
    if not shapes:
        return f"the arguments ({', '.join(map(str, args))})"[:90]
    numbers = [str(each) for each in args if isinstance(each, (int, float))]
    values = f" and the value{'s' * (len(numbers) > 1)} {', '.join(numbers)}" if numbers else ""
    return f"arguments of the shapes {', '.join(dict.fromkeys(shapes))}{values}"


def _advised(advice: Mapping[str, str], raised: AnswerRaised) -> str | None:
    """The sentence for an exception. A key is its name, alone or with words of it: "KeyError: mlp"."""
    keys = (key.partition(": ") for key in advice)
    fits = ("".join(key) for key in keys if key[0] == raised.kind and key[2] in raised.message)
    return advice.get(next(fits, ""))


def in_turn(
    answer: Answer, cases: Iterable[Case], advice: Mapping[str, str] = {}
) -> Iterator[tuple[Case, object]]:
    """Each case with the answer's result. Where a case after the first stops, NotYet names its sizes.

    `advice` (`_advised`) is for the first call. torch raises RuntimeError where shapes do not fit.
    """
    for number, case in enumerate(cases):
        try:
            result = again(answer, *case) if number else answer(*case)
        except AnswerRaised as raised:
            sentence = _advised(advice, raised)
            if sentence is None:
                raise
            raise NotYet(sentence) from raised
        yield case, result


def device_kept(answer: Answer, *args: object) -> None:
    """Raise NotYet if tensors on another device give a result here. Code that needs numbers passes."""
    kind = kind_elsewhere(answer, args)
    if kind == "Mixed":
        raise NotYet(MIXED)
    if kind not in (None, "Elsewhere", "Tensor", "Parameter"):
        raise NotYet(
            f"Your output is on another device than the input. {POSSIBLE}a new tensor is not made on the"
            " device of the arguments."
        )


def gradients_agree(answer: Answer, oracle: Callable[..., Tensor], arguments: dict[str, object]) -> None:
    """Raise NotYet unless every tensor among `arguments` has the gradient that it has through `oracle`.

    Arguments that are `Build`s must make followed tensors, as `weights_of` of notebook 04 does. Call this
    after plain calls have been right. If there are no `Build`s, the output for `arguments` is compared too.
    """
    if plain := not any(isinstance(argument, Build) for argument in arguments.values()):
        _value_agrees(answer, oracle, arguments)
    call = [
        Build(f"{FOLLOWED}:followed", (argument, name)) if _trains(argument) else argument
        for name, argument in arguments.items()
    ]
    try:
        result = answer(*call)
    except AnswerRaised as raised:
        raise NotYet(IN_PLACE) from raised
    passes = ("Elsewhere", "Mixed", "Tensor")
    if isinstance(result, Tensor) and kind_elsewhere(answer, arguments.values()) in passes:
        return  # vmap and the like give plain tensors; code that leaves torch needs the numbers
    if not isinstance(result, Handle) or result.type_name != "Followed":
        raise NotYet(DETACHED)
    mine = [_made(argument, name) for name, argument in arguments.items()]
    with torch.enable_grad():  # the notebook may have turned it off
        wanted = oracle(*mine).as_subclass(Followed).gradients()
    try:
        theirs = answer.method(result, "gradients")
    except AnswerRaised as raised:
        raise NotYet(IN_PLACE) from raised
    if not isinstance(theirs, dict) or not theirs:
        raise NotYet(DETACHED)
    for name, gradient in wanted.items():
        other = theirs.get(name)
        if not isinstance(other, Tensor) or other.shape != gradient.shape:
            if plain:  # is the output that of an earlier call?
                moved = {name: 0.5 * each if _trains(each) else each for name, each in arguments.items()}
                _value_agrees(answer, oracle, moved)
            raise NotYet(
                f"No gradient reaches {name}, although your outputs were right. {POSSIBLE}detach, .data,"
                " no_grad or a new tensor made of its numbers cuts it off."
            )
    for name, gradient in wanted.items():
        expect(bool(torch.isfinite(theirs[name]).all()), NAN_GRADIENT.format(name=name))
        wrong = f"the gradient with respect to {name} is wrong: {difference(theirs[name], gradient)}"
        expect(apart(theirs[name], gradient) <= 100.0, f"For {_shapes(arguments)}, {wrong}")


def _value_agrees(answer: Answer, oracle: Callable[..., Tensor], arguments: dict[str, object]) -> None:
    """Raise NotYet if the output for `arguments` is another one than that of `oracle`."""
    result = again(answer, *arguments.values())
    if isinstance(result, Tensor):
        wanted = oracle(*arguments.values())
        right = result.shape == wanted.shape and apart(result, wanted, ROOT) <= 1.0
        expect(right, OTHERS.format(given=_shapes(arguments), off=differing(result, wanted)))


def _shapes(arguments: dict[str, object]) -> str:
    """The tensors among them by their shapes, and the numbers: "x (2, 3, 4), n_head = 2"."""
    return ", ".join(
        f"{name} {tuple(argument.shape)}" if isinstance(argument, Tensor) else f"{name} = {argument}"
        for name, argument in arguments.items()
        if isinstance(argument, (Tensor, int))
    )


def _trains(value: object) -> TypeGuard[Tensor]:
    return isinstance(value, Tensor) and value.is_floating_point()


def _made(value: object, name: str) -> object:
    """The arguments that the answer gets, made here for the oracle."""
    if isinstance(value, Build):
        module, _, maker = value.target.partition(":")
        return getattr(importlib.import_module(module), maker)(*value.args, **value.kwargs)
    return followed(value, name) if _trains(value) else value
