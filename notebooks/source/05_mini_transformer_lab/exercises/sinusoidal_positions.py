"""Exercise sinusoidal_positions: the fixed position embeddings made of sines and cosines."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of, told

# angles in float32 are off by up to 3e-4 at position 500, and by far less at the first ones
TOLERANCE = 2e-3
KEPT = f". It was right before other sizes were asked for. {POSSIBLE}something of an earlier call is kept"


def allowed(length: int) -> float:
    """How far an entry of a table of this length may be off."""
    return min(TOLERANCE, 5e-6 * length)


def expected(length: int, d_model: int) -> Tensor:
    """Entry by entry, in float64."""
    rows = [
        [
            (
                math.sin(t / 10_000 ** (column / d_model))
                if column % 2 == 0
                else math.cos(t / 10_000 ** ((column - 1) / d_model))
            )
            for column in range(d_model)
        ]
        for t in range(length)
    ]
    return torch.tensor(rows, dtype=torch.float64)


def waves(value: object, length: int, d_model: int, earlier: Sequence[tuple[int, int]] = ()) -> Tensor:
    """`value` as a float64 table. Raises NotYet unless it is such a tensor; `earlier` sizes were right."""
    if not isinstance(value, Tensor):
        raise NotYet(f"return a torch tensor; yours is {kind_of(value)}")
    expect(
        tuple(value.shape) == (length, d_model),
        f"for T = {length} and d = {d_model} the shape should be {(length, d_model)}; yours is"
        f" {tuple(value.shape)}{', as in an earlier call' * (tuple(value.shape) in earlier)}",
    )
    expect(
        value.dtype in (torch.float32, torch.float64),
        f"the table should hold float32 or float64 numbers; yours are {value.dtype}",
    )
    expect(bool(torch.isfinite(value).all()), "some of your entries are nan or infinite")
    return value.double()


def same_table(found: Tensor, length: int, d_model: int, why: str = "") -> None:
    """Raise NotYet unless this is the table of so many positions and columns. `why` ends the sentence."""
    wanted = expected(length, d_model)
    apart = (found - wanted).abs()
    if float(apart.max()) > allowed(length):
        t, column = divmod(int(apart.argmax()), d_model)
        mine, yours = told(float(wanted[t, column]), float(found[t, column]))
        close = float(apart.max()) < min(1e-3, 0.1 * abs(float(wanted[t, column])))
        if torch.equal(found, found.round()):
            why = "; all entries of your table are whole numbers" + why
        elif close and not why:
            why = ". No entry is further off, but float32 is closer"
        raise NotYet(
            f"for T = {length} and d = {d_model}, column {column} of position {t} should be {mine}; yours is"
            f" {yours}{why}"
        )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Position 0, the fastest pair, then every entry of a small and of a larger table."""
    found = waves(answer(4, 6), 4, 6)
    start = torch.tensor([0.0, 1.0] * 3, dtype=torch.float64)
    ok = bool((found[0] - start).abs().max() <= TOLERANCE)
    expect(
        ok,
        "for T = 4 and d = 6 position 0 holds sin 0, cos 0, sin 0, cos 0, … = 0, 1, 0, 1, …; yours holds "
        + _read(found[0]),
    )
    sizes = (
        *((4, 6), (4, 10), (rng.randint(20, 40), 2 * rng.randint(4, 10))),
        *((600, 2), (9001, 4), (5, 256), (100, 16), (3, 2), (1, 4), (4, 6)),
    )
    for i, (length, d_model) in enumerate(sizes):
        found = waves(answer(length, d_model), length, d_model, sizes[:i])
        same_table(found, length, d_model, KEPT if (length, d_model) in sizes[:i] else "")
    return right("each pair of columns turns at its own speed")


def _read(row: Tensor) -> str:
    return ", ".join(f"{entry:.4g}" for entry in row.tolist())


EXERCISE = Exercise(
    id="sinusoidal_positions",
    title="Build sine–cosine positions",
    order=3,
    points=2,
    difficulty=2,
    importance=3,
    minutes=15,
    source="Vaswani et al. 2017, §3.5; Washington mini-Transformer lab, §2.2",
    reserved=("kqa_core.model.positions:sinusoidal_positions",),
    hints=(
        (
            "Two columns share a frequency: think of them as one hand of a clock. How fast is the first hand,"
            " how fast the last?"
        ),
        (
            "angle[t, m] = t · 10000^(−2m/d) for m = 0 … d/2 − 1. Its sine goes to column 2m, its cosine to"
            " column 2m + 1."
        ),
        (
            "With t of shape (T, 1) and m of shape (d/2,) the angles come by broadcasting, (T, d/2). Then"
            " out[:, 0::2] = angle.sin() and out[:, 1::2] = angle.cos()."
        ),
    ),
    check=check,
)
