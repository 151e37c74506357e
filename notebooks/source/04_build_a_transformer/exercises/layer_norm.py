"""Exercise layer_norm: standardise each token vector, then rescale its components."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import POSSIBLE, Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import CHANGED, leaves_alone
from kqa_core.exercise_helpers.named_mistakes import Mistakes, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import (
    HERE,
    difference,
    draw,
    gradients_agree,
    in_turn,
    tensor_of,
)

KEEPDIM = (
    f"For x (2, 4, 6) two sizes do not match. {POSSIBLE}the axis that mean and var average over is"
    " dropped: (B, T, d) becomes (B, T), which does not broadcast against x. keepdim=True keeps it as"
    " (B, T, 1)."
)


NAMES = ("x", "gain", "shift")


def case(rng: random.Random, B: int, T: int, C: int, scale: float = 3.0) -> tuple[Tensor, Tensor, Tensor]:
    """x (B, T, C) of standard deviation `scale` around 1, a gain (C,) above 0 and a shift (C,)."""
    gain = (1.0 + draw(rng, C, scale=0.5)).abs()
    return 1.0 + draw(rng, B, T, C, scale=scale), gain, draw(rng, C, scale=0.5)


def spiked(rng: random.Random, B: int, T: int, C: int) -> tuple[Tensor, Tensor, Tensor]:
    """The same, with one entry of each vector far from the others: it stays large when it is normalised."""
    x, gain, shift = case(rng, B, T, C)
    x[..., 0] += 1e5
    return x, gain, shift


def expected(x: Tensor, gain: Tensor, shift: Tensor) -> Tensor:
    """torch's own LayerNorm over the last axis, with ε = 1e-5."""
    return F.layer_norm(x, x.shape[-1:], gain, shift, eps=1e-5)


def mistakes(x: Tensor, gain: Tensor, shift: Tensor) -> Mistakes:
    """The outputs that common mistakes give, from torch's LayerNorm with another ε or over other axes."""
    _, T, C = x.shape
    share, spread = (C - 1) / C, x.std(dim=-1, correction=0, keepdim=True)

    def norm(eps: float) -> Tensor:
        return F.layer_norm(x, (C,), eps=eps)

    return {
        (
            "the variance divides by d − 1, which is the default of torch.var; divide by d,"
            " with unbiased=False"
        ): lambda: norm(1e-5 * share) * share**0.5 * gain + shift,
        (
            "ε is missing, or too small to show, or only a lower bound: add 1e-5 to the variance, under the"
            " root"
        ): lambda: norm(0.0) * gain + shift,
        "ε is added to the standard deviation; add it to the variance, under the root": lambda: (
            norm(0.0) * spread / (spread + 1e-5) * gain + shift
        ),
        "the mean is taken over the tokens; each token has its own mean and variance, over dim=-1": lambda: (
            F.layer_norm(x.mT, (T,)).mT * gain + shift
        ),
        (
            "the mean is taken over tokens and components together; each token has its own mean and variance,"
            " over dim=-1"
        ): lambda: F.layer_norm(x, (T, C)) * gain + shift,
        "the mean is not subtracted": lambda: F.rms_norm(x, (C,), eps=1e-5) * gain + shift,
        "ε is 1e-6 and not 1e-5": lambda: norm(1e-6) * gain + shift,
        "the mean is subtracted in the numerator, but not in the variance: square x − μ": lambda: (
            (x - x.mean(-1, keepdim=True)) / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * gain + shift
        ),
        "1 is added to the gain: multiply by the gain itself": lambda: norm(1e-5) * (1 + gain) + shift,
        "the gain is missing": lambda: norm(1e-5) + shift,
        "the shift is missing": lambda: norm(1e-5) * gain,
        "the shift is added before the gain multiplies": lambda: (norm(1e-5) + shift) * gain,
    }


def judge(answered: object, given: tuple[Tensor, Tensor, Tensor], what: str = "") -> None:
    """Raise NotYet unless `answered` is torch's LayerNorm."""
    x, *_ = given
    same = bool((x == x[..., :1]).all())
    expect(
        not same or not isinstance(answered, Tensor) or bool(torch.isfinite(answered).all()),
        f"for x {tuple(x.shape)}{what} your output is not a number, and it should be the shift."
        f" {POSSIBLE}ε is not added to the variance, which is 0, under the root",
    )
    found = tensor_of(answered, tuple(x.shape), x.dtype, f"for x {tuple(x.shape)}{what} the output")
    said = f"for x {tuple(x.shape)}{what} your output differs from torch's LayerNorm"
    if same:  # then several mistakes give the same
        said = f"for x {tuple(x.shape)}{what}, each output should be the shift; the cases before were right"
    agree_or_name(found, expected(*given), said, {} if same else mistakes(*given))


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Ordinary vectors, small ones for which ε matters, one with equal entries, ones with a large entry;
    gains of both signs; another layout; a large mean in float32; arguments unchanged, and gradients.
    """
    small = (draw(rng, 1, 3, 8, scale=0.01), *case(rng, 1, 1, 8)[1:])
    equal = (torch.full((1, 2, 4), 3.0, dtype=torch.float64), *case(rng, 1, 1, 4)[1:])
    spike = spiked(rng, 1, 2, 40)
    large = " with one large entry in each vector"
    words = (
        "",
        " with small entries",
        " whose entries are all 3",
        large,
        " with a gain of 0 and one below 0",
        " with entries near 0.0001",
        large,
    )
    signs = case(rng, 2, 20, 5)
    signs[1][:2] = torch.tensor([0.0, -0.7])
    tiny = (draw(rng, 1, 3, 8, scale=1e-4), *case(rng, 1, 1, 8)[1:])
    wide = spiked(rng, 1, 1, 1500)
    cases = (case(rng, 2, 4, 6), small, equal, spike, signs, tiny, wide)
    for what, (given, result) in zip(
        words, in_turn(answer, cases, {"RuntimeError: (4) at": KEEPDIM}), strict=True
    ):
        judge(result, given, what)
    far = tuple(tensor.float() for tensor in (1000.0 + draw(rng, 1, 3, 16), *case(rng, 1, 1, 16)[1:]))
    found = tensor_of(answer(*far), (1, 3, 16), torch.float32, "the output").double()
    wanted = expected(*(tensor.double() for tensor in far))
    expect(
        float((found - wanted).abs().max()) < 0.01,
        "for x (1, 3, 16) in float32, with numbers near 1000 that vary by about 1, the output is wrong:"
        f" {difference(found, wanted)}",
    )
    given = case(rng, 2, 3, 4)
    moved = answer(Build(f"{HERE}:strided", given[:1]), *given[1:])
    judge(moved, given, ", not contiguous,")
    leaves_alone(answer, NAMES, *given, sentence=CHANGED.replace("result", "output"))
    gradients_agree(answer, expected, dict(zip(NAMES, given, strict=True)))
    return right()


EXERCISE = Exercise(
    id="layer_norm",
    title="Layer normalisation",
    order=11,
    points=2,
    difficulty=2,
    importance=4,
    minutes=12,
    source="Ba et al. 2016",
    hints=(
        (
            "In the worked example, which numbers were averaged: those of one token, or those of one"
            " component over all tokens?"
        ),
        (
            "Mean and variance run over the last axis only. Keep that axis with keepdim=True, so that the"
            " results broadcast against x. The variance divides by d, not by d − 1."
        ),
        (
            "torch's var divides by d − 1 unless you pass unbiased=False. ε is added to the variance, before"
            " the root: with variance v the divisor is (v + 1e-5) ** 0.5. The gain multiplies the"
            " standardised vector, and the shift is added last."
        ),
    ),
    check=check,
)
