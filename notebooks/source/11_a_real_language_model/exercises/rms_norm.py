"""Exercise rms_norm: divide each token vector by its root mean square, and multiply by a gain."""

from __future__ import annotations

import random
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.named_mistakes import Mistakes, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import draw, gradients_agree, in_turn, tensor_of

KEEPDIM = (
    "for x (2, 4, 6) your code stops: two sizes do not match. Possible cause: a mean drops the axis"
    " that it averages over, so (B, T, d) becomes (B, T), which does not broadcast against x; keepdim=True"
    " keeps it"
)


def case(rng: random.Random, *shape: int, scale: float = 3.0) -> tuple[Tensor, Tensor]:
    """x of this shape with the mean 1, and a gain above 0 for its last axis."""
    return 1.0 + draw(rng, *shape, scale=scale), 0.1 + (0.9 + draw(rng, shape[-1], scale=0.5)).abs()


def expected(x: Tensor, gain: Tensor) -> Tensor:
    """torch's own, in a module."""
    norm = torch.nn.RMSNorm(x.shape[-1], eps=1e-5, dtype=x.dtype)
    out: Tensor = torch.func.functional_call(norm, {"weight": gain}, (x,))
    return out


def mistakes(x: Tensor, gain: Tensor) -> Mistakes:
    """The outputs that common mistakes give."""
    d = x.shape[-1]

    def norm(eps: float) -> Tensor:
        return F.rms_norm(x, (d,), eps=eps)

    return {
        "the mean is subtracted, as in LayerNorm: RMSNorm subtracts nothing": lambda: (
            F.layer_norm(x, (d,), eps=1e-5) * gain
        ),
        "x is divided by its length: the sum of squares is not divided by d": lambda: (
            norm(1e-5 / d) / d**0.5 * gain
        ),
        "the gain is missing": lambda: norm(1e-5),
        "1 is added to the gain": lambda: norm(1e-5) * (1 + gain),
    }


def epsilons(x: Tensor, gain: Tensor) -> Mistakes:
    """The outputs that other ε give, which differ for small vectors."""
    square = x.square().mean(-1, keepdim=True)
    return {
        "ε is 0, or nearly 0, and not 1e-5": lambda: x / square.sqrt() * gain,
        "ε is 1e-6, and not 1e-5": lambda: x / (square + 1e-6).sqrt() * gain,
        "ε is 1e-8, and not 1e-5": lambda: x / (square + 1e-8).sqrt() * gain,
        "ε is added to the root, and not under it": lambda: x / (square.sqrt() + 1e-5) * gain,
        "the mean of the squares is kept from falling below ε (clamp or max); ε is added to it": lambda: (
            x / square.clamp(min=1e-5).sqrt() * gain
        ),
    }


def judge(
    answered: object,
    given: tuple[Tensor, Tensor],
    what: str = "",
    named: Callable[[Tensor, Tensor], Mistakes] = lambda *_: {},
    within: float = 0.0,
) -> None:
    """Raise NotYet unless `answered` is RMSNorm. `named` makes the mistakes that are likely here; `within` is
    as in `apart`.
    """
    x, gain = given
    found = tensor_of(answered, tuple(x.shape), x.dtype, f"for x {tuple(x.shape)}{what} the output")
    agree_or_name(
        found,
        expected(x, gain),
        f"for x {tuple(x.shape)}{what} your output is not x / √(mean(x²) + ε) times the gain",
        named(x, gain),
        within,
    )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Ordinary vectors, first up to 1e-4; small ones for which ε matters, first up to 1e-5; a gain with a
    negative number and a 0, zeros, vectors of another number of axes; arguments unchanged, and gradients.
    """
    plain = case(rng, 2, 4, 6)
    small = draw(rng, 2, 4, 6, scale=0.001), plain[1]
    cases = [
        plain,
        small,
        plain,
        small,
        case(rng, 2, 3, 4),
        (draw(rng, 2, 3, 4), torch.tensor([-0.5, 1.5, 0.0, 2.0], dtype=torch.float64)),
        (draw(rng, 2, 4, 6, scale=0.01), plain[1]),
        (torch.zeros(2, 3, 4, dtype=torch.float64), case(rng, 4)[1]),
        case(rng, 5, 6),
        case(rng, 5, 6, scale=1e5),
        case(rng, 7),
        case(rng, 2, 5, 5),
    ]
    words = (
        "",
        " with entries of about 0.001",
        " in float64",
        " with entries of about 0.001",
        "",
        " and the gain (−0.5, 1.5, 0, 2)",
        " with entries of about 0.01",
        " of zeros",
        "",
        " with entries of about 100,000",
        "",
        ", whose last two axes are equally long,",
    )
    results = in_turn(answer, cases, {"RuntimeError: (6) must match the size of tensor b (4)": KEEPDIM})
    for number, (what, (given, result)) in enumerate(zip(words, results, strict=True)):
        if number == 0:
            judge(result, given, what, mistakes, 1e-4)
        elif number == 1:
            judge(result, given, what, epsilons, 1e-5)
        else:
            judge(result, given, what)
    leaves_alone(answer, ("x", "gain"), *cases[0])
    gradients_agree(answer, expected, dict(zip(("x", "gain"), case(rng, 2, 3, 4), strict=True)))
    return right()


EXERCISE = Exercise(
    id="rms_norm",
    title="A norm without a mean",
    order=3,
    points=2,
    difficulty=2,
    importance=5,
    minutes=8,
    source="Zhang and Sennrich 2019",
    hints=(
        "Do the worked example on paper: square, average, root, divide. Over which numbers is the average?",
        (
            "The mean of the squares runs over the last axis only, and keeps it: keepdim=True. ε is added to"
            " this mean, before the root. Nothing is subtracted from x."
        ),
        (
            "With m = the mean of x ** 2 over dim=-1, keepdim=True, the output is x * torch.rsqrt(m + …)"
            " times the gain; torch.rsqrt is one over the root."
        ),
    ),
    check=check,
)
