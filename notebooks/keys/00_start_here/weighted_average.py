"""Answer key of weighted_average."""

from __future__ import annotations

import random

import torch
from course_exercises.weighted_average import listed, weighted_row

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers.effects import steady

PARTS = "kqa_core.exercise_helpers.transformer_parts"


def draw(rng: random.Random, n: int, d: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Values (n, d) and positive weights (n,) that add up to 1, both float64, no two alike."""
    values = torch.tensor([[rng.uniform(-3, 3) for _ in range(d)] for _ in range(n)], dtype=torch.float64)
    raw = torch.tensor([rng.uniform(0.2, 1) + i for i in range(n)], dtype=torch.float64)
    return values, raw[torch.tensor(rng.sample(range(n), n))] / raw.sum()


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Random values, as many rows as columns among them, of float64 and of float32.
    The answer may be of either type.

    The same call many times first. One weight is close to 1 in one case, one below 0 in another, in
    one a weight is 1 although others are not 0, and in one the weights are far from [−1, 1]. Tiny weights of
    large rows count.
    """
    other, _ = draw(rng, 3, 4)
    nearly_one = torch.tensor([0.02, 0.95, 0.03], dtype=torch.float64)
    cases = [draw(rng, n, d) for n, d in ((4, 3), (3, 3), (2, 5), (3, 1), (1, 1), (40, 2), (4, 3), (300, 7))]
    one_and_more = torch.tensor([0.5, 1.0, -0.5], dtype=torch.float64)
    below_zero = torch.tensor([0.75, -0.5, 0.75], dtype=torch.float64)
    tiny_first = torch.tensor([1e-3, 0.4, 0.599], dtype=torch.float64)
    steady(answer, *cases[0])
    for values, weights in [
        *cases,
        (other, nearly_one),
        (other, below_zero),
        (other, one_and_more),
        (other, torch.tensor([40.0, -64.0, 25.0], dtype=torch.float64)),
        (torch.tensor([[1e4], [2.0], [-3.0]], dtype=torch.float64), tiny_first),
        tuple(x.float() for x in draw(rng, 3, 2)),
    ]:
        row, average = weighted_row(answer(values, weights), values), weights @ values
        some = f"{', '.join(map(str, listed(weights[:3])))}{', …' * (len(weights) > 3)}"
        of = f"with {len(values)} rows of {len(average)} numbers and the weights [{some}], the average is"
        off = f"{of} {listed(average, 6)}; yours is {listed(row, 6)} (to 6 decimals)"
        # float32 rounds each summand, and they may be larger than their sum
        allowed = 2e-6 + 1e-6 * (weights.abs() @ values.abs())
        expect(bool(((row - average).abs() <= allowed).all()), off)
    values, weights = draw(rng, 4, 3)
    row = weighted_row(answer(Build(f"{PARTS}:strided", (values,)), weights), values)
    average = weights @ values
    off = f"with 4 rows that are not contiguous in memory, the average is {listed(average, 6)}; yours is"
    expect(bool(torch.allclose(row, average, rtol=1e-6, atol=2e-6)), f"{off} {listed(row, 6)}")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """As many rows as columns, so that a wrong axis has the right shape; then unlike numbers of each."""
    return [draw(rng, 3, 3), draw(rng, 4, 2)]


def weighted_average(values, weights):
    """The reference."""
    return (weights[:, None] * values).sum(dim=0)


def as_a_product(values, weights):
    """A row times a matrix."""
    return weights @ values


def with_a_loop(values, weights):
    """One row at a time."""
    total = torch.zeros_like(values[0])
    for weight, row in zip(weights, values, strict=True):
        total = total + weight * row
    return total


def adds_in_place(values, weights):
    """A sum that begins as float32 zeros, whatever the type of the values."""
    total = torch.zeros(values.shape[1])
    for i in range(len(weights)):
        total += weights[i] * values[i]
    return total


def with_einsum(values, weights):
    """Indices spelled out."""
    return torch.einsum("n,nd->d", weights, values)


def column_by_column(values, weights):
    """A dot product for each column."""
    return torch.stack([torch.dot(weights, values[:, j]) for j in range(values.shape[1])])


def plain_mean(values, weights):
    """Your result is the plain mean: every row counts the same, whatever its weight."""
    return values.mean(dim=0)


def plain_sum(values, weights):
    """Your result is the sum of the rows without their weights."""
    return values.sum(dim=0)


def divides_again(values, weights):
    """The sum is divided by the number of rows as well; the weights add up to 1 already."""
    return (weights[:, None] * values).mean(dim=0)


def not_added_up(values, weights):
    """Each row is multiplied by its weight, but the rows are not added up."""
    return weights[:, None] * values


def wrong_axis(values, weights):
    """The sum goes along each row. The rows are to be added, which is axis 0."""
    return (weights[:, None] * values).sum(dim=1)


def takes_the_largest(values, weights):
    """Your result is the row with the largest weight; the others count too."""
    return values[weights.argmax()]


def other_way_round(values, weights):
    """The weights are in reverse order: weight i belongs to row i."""
    return weights.flip(0) @ values


def softmax_again(values, weights):
    """The weights go through a softmax first; they are weights already."""
    return weights.softmax(dim=0) @ values


def squared(values, weights):
    """Each weight is used twice, as its square: each row should be multiplied by its weight once."""
    return (weights**2) @ values


KEY = AnswerKey(
    id="weighted_average",
    hidden=hidden,
    reference=weighted_average,
    accepted=(as_a_product, with_a_loop, adds_in_place, with_einsum, column_by_column),
    rejected=(
        *(plain_mean, plain_sum, divides_again, not_added_up, wrong_axis),
        *(takes_the_largest, other_way_round, softmax_again, squared),
    ),
    fingerprint=fingerprint,
    commentary="""
    `weights[:, None]` has shape $(n, 1)$, so the product multiplies row $i$ of `values` by weight $i$. The
    sum over axis 0 adds the $n$ rows and leaves $d$ numbers. `weights @ values` does the same in one step,
    and this is how attention is usually written. The common mistake is to sum over the wrong axis:
    `sum(dim=1)` adds the entries within each row. If $n = d$, the result even has the right shape.
    """,
)
