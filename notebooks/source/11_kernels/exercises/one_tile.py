"""Exercise one_tile: what one program of the attention kernel does, in torch."""

from __future__ import annotations

import random

import torch
from course_exercises._kernel_parts import Heads, attention_of, heads

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.check.helpers.transformer_parts import agree

OUTSIDE = "Your program reads outside the memory: an address beyond its end must be masked, so that `load` gives 0 in its place."


def tile_of(answer: Answer, case: Heads, tile: int, causal: bool) -> torch.Tensor:
    """The rows of the answer's tile that are stored, (length, width). Raises NotYet unless it is a tile."""
    try:
        result = answer(*case, tile, causal)
    except AnswerRaised as raised:
        if raised.kind == "IndexError" and "outside the memory" in raised.message:
            raise NotYet(OUTSIDE) from None
        raise
    if not isinstance(result, torch.Tensor) or not result.is_floating_point():
        raise NotYet(f"return the tile as a torch tensor of floating-point numbers; yours is {kind_of(result)}")
    expect(
        tuple(result.shape) == (tile, case.width),
        f"the tile must have shape (tile, width), here ({tile}, {case.width}); yours has shape {tuple(result.shape)}",
    )
    expect(result.dtype is case.memory.dtype, f"the tile must have the memory's dtype, {case.memory.dtype}")
    return result[: case.length]


def same_tile(answer: Answer, case: Heads, tile: int, causal: bool) -> None:
    """Raise NotYet unless the stored rows are attention's."""
    found, wanted = tile_of(answer, case, tile, causal), attention_of(case, causal)
    mask = "causal" if causal else "no mask"
    where = f"for length {case.length}, width {case.width}, stride {case.stride}, tile {tile}, {mask}:"
    expect(
        not bool(found.isnan().any()),
        f"{where} the output holds nan. What lies behind a head in memory may be anything: load 0 in its place, "
        "and give keys from "
        "`length` on no weight",
    )
    agree(found, wanted, f"{where} the output is not attention's")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A head that fills its tile, one that does not, with and without the mask, and logits in the hundreds."""
    same_tile(answer, heads(rng, 8, 4), 8, True)
    same_tile(answer, heads(rng, 8, 4), 8, False)
    same_tile(answer, heads(rng, 5, 3), 8, True)
    same_tile(answer, heads(rng, 5, 3), 8, False)
    same_tile(answer, heads(rng, 6, 4, loud=30.0), 16, False)
    return right("that is what each program on the GPU does, for one head of one row")


EXERCISE = Exercise(
    id="one_tile",
    title="Attention in one tile",
    order=3,
    points=4,
    difficulty=4,
    importance=5,
    minutes=30,
    source="this course",
    hints=(
        "Three steps: addresses, arithmetic, mask. Row t, channel c of a head that begins at `start` lies at "
        "start + t·stride + c. Which "
        "of the tile's rows exist?",
        "Make all addresses at once from two `torch.arange`s, a column of rows and a row of channels, and load "
        "q, k and v with one "
        "mask. Rows from `length` on are zeros then; but a key of zeros has a logit of 0, and a softmax gives 0 a weight.",
        "allowed = at[None, :] < length, and where causal also at[None, :] <= at[:, None]. Fill the other logits with −inf, "
        "subtract each row's largest, exponentiate, multiply with v, and divide by the row's sum last. Logits are scaled by "
        "1/√width.",
    ),
    check=check,
    optional=True,
)
