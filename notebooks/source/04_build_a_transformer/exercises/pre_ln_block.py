"""Exercise pre_ln_block: two residual branches, each with a norm at its start."""

from __future__ import annotations

import random

import torch
from course_exercises._small_models import HERE, Block, layer

from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.transformer_parts import agree, draw, tensor_of

KINDS = ("norm", "attention", "norm", "mlp")
NAMES = ("norm_1", "attention", "norm_2", "mlp")


def seeds(rng: random.Random) -> tuple[int, int, int, int]:
    """Four different seeds, one for each part."""
    first, second, third, fourth = rng.sample(range(2**30), 4)
    return first, second, third, fourth


def builds(width: int, chosen: tuple[int, int, int, int], follow: bool = False) -> dict[str, object]:
    """norm_1, attention, norm_2 and mlp, as they are made in the answer's process."""
    made: dict[str, object] = {}
    for name, kind, seed in zip(NAMES, KINDS, chosen, strict=True):
        made[name] = Build(f"{HERE}:layer", (kind, width, seed, name if follow else None))
    return made


def joined(x: torch.Tensor, *parts: torch.nn.Module) -> torch.Tensor:
    """The output of `small_gpt`'s block for x with these parts."""
    block = Block(x.shape[-1])
    block.norm_1, block.attention, block.norm_2, block.mlp = parts  # type: ignore[assignment]  # made by `layer`, in this order
    out: torch.Tensor = block.eval()(x)
    return out


def expected(x: torch.Tensor, chosen: tuple[int, int, int, int]) -> torch.Tensor:
    """The block's output for parts made from these seeds."""
    parts = [layer(kind, x.shape[-1], seed) for kind, seed in zip(KINDS, chosen, strict=True)]
    with torch.no_grad():
        return joined(x, *parts)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One block of width 6."""
    x, chosen = draw(rng, 2, 4, 6, scale=2.0), seeds(rng)
    found = tensor_of(answer(x, *builds(6, chosen).values()), (2, 4, 6), x.dtype, "the output")
    agree(found, expected(x, chosen), "your block's output is another than that of a pre-LN block with these parts")
    return right()


EXERCISE = Exercise(
    id="pre_ln_block",
    title="A pre-LayerNorm block",
    order=10,
    points=2,
    difficulty=2,
    importance=5,
    minutes=10,
    source="Xiong et al. 2020, fig. 1(b)",
    hints=(
        "Draw the stream as one straight line. What leaves it, and what comes back to it? Nothing else may touch the line.",
        "Twice the same pattern: a copy of the stream goes through a norm and then through a layer, and is added to the stream.",
        "x = x + attention(norm_1(x)) is the first half. The second half has norm_2 and mlp, and starts from the new x.",
    ),
    check=check,
)
