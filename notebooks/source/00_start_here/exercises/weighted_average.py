"""Exercise weighted_average: the practice exercise of notebook 00, and the last step of attention."""

from __future__ import annotations

import random

import torch

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone

CASES = (
    ([0.5, 0.25, 0.25], [[2.0, 0.0], [0.0, 4.0], [6.0, 2.0]]),
    ([0.0, 0.0, 1.0], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
    ([1.0], [[3.0, -1.0]]),
    ([0.5, 0.5], [[1.0], [4.0]]),
    ([1.0, -0.5, 0.5], [[2.0, 0.0], [0.0, 4.0], [6.0, 2.0]]),
    ([1.5, -0.5], [[2.0, 0.0], [4.0, 2.0]]),
    ([40.0, -64.0, 25.0], [[2.0, 0.0], [1.0, 0.5], [0.0, 2.0]]),
)


def weighted_row(result: object, values: torch.Tensor) -> torch.Tensor:
    """`result` as a tensor of one row's shape, (d,); NotYet says what was expected."""
    if not isinstance(result, torch.Tensor):
        said = "None, as without a return" if result is None else f"of type {type(result).__name__}"
        expect(
            False, f"for values of shape {tuple(values.shape)} the answer must be a tensor; yours is {said}"
        )
    assert isinstance(result, torch.Tensor)
    shape, wanted = tuple(result.shape), tuple(values.shape[1:])
    expect(
        shape == wanted,
        f"values of shape {tuple(values.shape)} average to a tensor of shape {wanted}; yours has shape"
        f" {shape}",
    )
    return result.to(values.dtype)


def listed(row: torch.Tensor, decimals: int = 4) -> list[float]:
    """A row of numbers as text shows it."""
    return [round(float(entry), decimals) for entry in row]


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Cases that you can compute in your head: unequal weights, one weight that is 1, one row, rows of one
    number, a negative weight, large ones; then some drawn at random, twelve rows and three hundred among
    them.
    """
    before: list[float] = []
    earlier = torch.tensor([])
    for weights, rows in CASES:
        values = torch.tensor(rows)  # (n, d)
        row, average = (
            weighted_row(answer(values, torch.tensor(weights)), values),
            torch.tensor(weights) @ values,
        )
        found, wanted = listed(row), listed(average)
        old = f". {POSSIBLE}something is kept from an earlier call"
        kept = f", the average of the call before{old}" if found == before else ""
        if len(earlier) == len(values) and found == listed(earlier @ values):
            kept = f", the average with the weights of the call before{old}"
        if found != wanted and not kept:
            again = listed(weighted_row(answer(values, torch.tensor(weights)), values))
            if str(again) != str(found):  # nan is not equal to nan
                kept = f", and {again} when called again{old}, or random numbers are drawn"
        expect(
            found == wanted,
            f"for the weights {weights} and the rows {rows} the average is {wanted}; yours is {found}{kept}",
        )
        before, earlier = wanted, torch.tensor(weights)
    for count, width, largest in (
        *((4, 3, 0.41239), (3, 3, 0.40731), (2, 4, 0.94319), (12, 2, 0.61236)),
        *((4, 3, 0.31237), (300, 7, 0.30931)),
    ):
        rows = [[round(rng.uniform(-5.0, 5.0), 2) for _ in range(width)] for _ in range(count)]
        shares = [largest, *([(1 - largest) / (count - 1)] * (count - 1))]
        values, weights64 = (torch.tensor(each, dtype=torch.float64) for each in (rows, shares))
        row, average = weighted_row(answer(values, weights64), values), weights64 @ values
        few = f"for the weights {listed(weights64, 6)} and the rows {rows}"
        some = ", ".join(map(str, listed(weights64[:3], 6)))
        case = few if count < 5 else f"for {count} rows, with the weights [{some}, …],"
        expect(
            bool(((row - average).abs() < 3e-6).all()),
            f"{case} the average is {listed(average, 6)}; yours is {listed(row, 6)} (to 6 decimals)",
        )
    leaves_alone(answer, ("values", "weights"), torch.tensor(CASES[0][1]), torch.tensor([0.25, 0.5, 0.25]))
    return right()


EXERCISE = Exercise(
    id="weighted_average",
    title="Average rows with weights",
    order=1,
    points=0,
    difficulty=1,
    importance=5,
    minutes=3,
    source="practice",
    hints=(
        "Each row counts as much as its weight says: multiply, then add up.",
        (
            "weights has shape (n,) and values (n, d). weights[:, None] has shape (n, 1): multiply with it,"
            " and row i gets weight i."
        ),
        (
            "weights[:, None] * values has shape (n, d): row i times weight i. What is left is to add the n"
            " rows, which is axis 0. A matrix product does both at once, as in the example above."
        ),
    ),
    check=check,
)
