"""Exercise counter_draw: random numbers that are a function of (seed, step, row).

False alarms: a right generator fails one chi-square with probability 1e-9 (`kernel_parts.UNLIKELY`), and a comparison of 500
draws below 2²⁰ with probability under 1e-20; both checks together make 21 of the first and 18 of the second: 3e-8.
"""

from __future__ import annotations

import random

import torch
from course_exercises._kernel_parts import UNLIKELY, p_value
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of

FINE = 2**20  # a bound so large that two draws are hardly ever equal
SAME = 25  # of 500: right draws below 2²⁰ agree in 500/2²⁰ places on average, in more than 25 with probability below 1e-100
MIXED_UP = "rows, steps and seeds are mixed up:"


def draws(answer: Answer, seed: int, step: int, rows: Tensor, bound: int) -> Tensor:
    """One call. Raises NotYet unless it is a tensor of whole numbers below `bound`."""
    result = answer(seed, step, rows, bound)
    if not isinstance(result, Tensor):
        raise NotYet(f"return a torch tensor; yours is {kind_of(result)}")
    expect(result.dtype is torch.int64, f"return whole numbers, torch.int64; yours is {result.dtype}")
    expect(
        tuple(result.shape) == tuple(rows.shape),
        f"return one number for each row, shape {tuple(rows.shape)}; yours has shape {tuple(result.shape)}",
    )
    least, most = int(result.min()), int(result.max())
    expect(least >= 0 and most < bound, f"every number lies in 0 … {bound - 1}; yours go from {least} to {most}")
    return result


def same(a: Tensor, b: Tensor) -> bool:
    """Whether two sets of draws agree more often than by chance."""
    return int((a == b).sum()) > SAME


def only_of_its_row(answer: Answer, seed: int, step: int, rng: random.Random) -> None:
    """Raise NotYet unless a row's number is the same in every batch and in every call."""
    rows = torch.tensor(rng.sample(range(10**6), 500))
    whole = draws(answer, seed, step, rows, FINE)
    expect(
        bool(torch.equal(whole, draws(answer, seed, step, rows, FINE))),
        "the same seed, step and rows gave two different draws: draw from nothing but the three",
    )
    few = draws(answer, seed, step, rows[100:200], FINE)
    turned = draws(answer, seed, step, rows.flip(0), FINE).flip(0)
    expect(
        bool(torch.equal(few, whole[100:200]) and torch.equal(turned, whole)),
        "a row's number changes with the batch it is in: it may depend on the row's own number, and not on its "
        "place or neighbours",
    )
    expect(
        len(set(whole.tolist())) > 250,
        f"500 rows, bound {FINE}: {len(set(whole.tolist()))} different numbers came: other rows, other numbers",
    )


def everything_counts(answer: Answer, seed: int, step: int, rng: random.Random) -> None:
    """Raise NotYet unless the draw depends on seed, on step and on row, each differently."""
    first = rng.randrange(1, 10**6)
    rows = torch.arange(first, first + 500)
    here = draws(answer, seed, step, rows, FINE)
    expect(
        not same(here, draws(answer, seed, step + 1, rows, FINE)), "the step does not count: the next one drew the same numbers"
    )
    expect(
        not same(here, draws(answer, seed + 1, step, rows, FINE)), "the seed does not count: the next one drew the same numbers"
    )
    for name, other in (
        ("row r + 1 in step s draws what row r draws in step s + 1", draws(answer, seed, step + 1, rows - 1, FINE)),
        ("row r + 1 under seed k draws what row r draws under seed k + 1", draws(answer, seed + 1, step, rows - 1, FINE)),
        ("step s + 1 under seed k draws what step s draws under seed k + 1", None),
    ):
        a, b = (
            (here, other)
            if other is not None
            else (draws(answer, seed + 1, step, rows, FINE), draws(answer, seed, step + 1, rows, FINE))
        )
        expect(not same(a, b), f"{MIXED_UP} {name}")
    a, b = draws(answer, 3, 40, rows, FINE), draws(answer, 40, 3, rows, FINE)
    expect(not same(a, b), f"{MIXED_UP} seed 3 in step 40 draws what seed 40 draws in step 3")


def evenly(answer: Answer, seed: int, step: int, bound: int, cells: int) -> None:
    """Raise NotYet unless all numbers are equally likely, and neighbours in row, step and seed are independent."""
    rows = torch.arange(2048)
    here = draws(answer, seed, step, rows, bound)
    cell = here * cells // bound
    expect(
        p_value(torch.bincount(cell, minlength=cells), len(rows) / cells) > UNLIKELY,
        f"2048 rows, bound {bound}: the numbers are not equally likely, further off than chance explains",
    )
    cell = here * 8 // bound
    for name, other in (
        ("a row and the next", draws(answer, seed, step, rows + 1, bound)),
        ("a step and the next", draws(answer, seed, step + 1, rows, bound)),
        ("a seed and the next", draws(answer, seed + 1, step, rows, bound)),
    ):
        pairs = torch.bincount(cell * 8 + other * 8 // bound, minlength=64)
        expect(p_value(pairs, len(rows) / 64) > UNLIKELY, f"the numbers of {name} have to do with each other")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Shape and range; the dependence on seed, step and row; and a uniform distribution."""
    draws(answer, 1, 2, torch.tensor([5, 0, 7]), 10)
    seed, step = rng.randrange(10**6), rng.randrange(10**4)
    only_of_its_row(answer, seed, step, rng)
    everything_counts(answer, seed, step, rng)
    evenly(answer, seed, step, 64, 64)
    return right("any row of any step, on any machine, in any order")


EXERCISE = Exercise(
    id="counter_draw",
    title="Random numbers from a counter",
    order=6,
    points=3,
    difficulty=3,
    importance=4,
    minutes=20,
    source="Salmon et al. 2011",
    hints=(
        "A generator has a state, and its next number depends on how often it was asked. What if there were no "
        "state: only a function "
        "that stirs well?",
        "Philox is such a function: it takes four words of 32 bits for each row, and a key. Which words keep (step 1, row 0) "
        "apart from (step 0, row 1)? And a row above 2³²?",
        "`philox(counter, seed)` wants a counter (4, B): the row's low and high half (`rows & 0xFFFFFFFF`, `rows "
        ">> 32`), the step, and "
        "a 0, each in a row of its own. Of what it returns, take one row of 32 bits; (bits · bound) >> 32 is a "
        "number below bound.",
    ),
    check=check,
    optional=True,
)
