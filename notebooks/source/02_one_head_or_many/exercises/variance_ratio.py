"""Exercise variance_ratio: the variance of one head's outputs, divided by that of two heads' outputs.

The spread of outputs c is their total variance, E|c − E c|²: the sum of the coordinates' variances. Both
spreads are taken over the same draws, so dividing by N or by N − 1 makes no difference to the ratio.
"""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerFailed
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import number, told

# relative: an answer may compute in float32, which is accurate to 1e-7; mistakes are off by a percent and
# more
PRECISE = 3e-6
IN_FLOAT32 = 1e-4  # where the outputs themselves are float32


def slips(one: Tensor, two: Tensor, epsilon: Tensor) -> list[tuple[str, Tensor]]:
    """The ratios that common mistakes give, each after the words about the mistake."""
    works = epsilon > 0
    first, second = one[works], two[works]

    def ratio(numerator: Tensor, denominator: Tensor) -> Tensor:
        if min(len(numerator), len(denominator)) < 2:  # torch warns
            return torch.tensor(torch.nan)
        found: Tensor = numerator.var(dim=0).sum() / denominator.var(dim=0).sum()
        return found

    def distance(outputs: Tensor) -> Tensor:
        found: Tensor = (outputs - outputs.mean(dim=0)).norm(dim=1).mean()
        return found

    def median(outputs: Tensor) -> Tensor:
        found: Tensor = (outputs - outputs.median(dim=0).values).square().sum()
        return found

    count, right, columns = len(first), ratio(first, second), first.var(dim=0) / second.var(dim=0)
    failed = "the draws that failed are kept"
    kept_once = "the failed draws are excluded from one of the two sets only"
    by_column = "the division is column by column, before the variances of the columns are added up"
    divisors = "one of the variances is divided by the number of draws, the other by one less"
    return [
        (f"{failed}, where only those with epsilon above 0 count", ratio(one, two)),
        *((kept_once, each) for each in (ratio(one, second), ratio(first, two))),
        *(
            (f"{failed} and the others excluded", ratio(one[some], two[some]))
            for some in (epsilon < 0, epsilon <= 0)
        ),
        (
            "draws with an epsilon of exactly 0 are kept, where head 0 fails",
            ratio(one[epsilon >= 0], two[epsilon >= 0]),
        ),
        (
            "only draws with epsilon above 1 are kept; head 0 works wherever epsilon is above 0",
            ratio(one[epsilon > 1], two[epsilon > 1]),
        ),
        ("the spread of two heads is divided by that of one", 1 / right),
        (
            "standard deviations are divided, which gives the root; a spread averages squares",
            right.sqrt(),
        ),
        (
            "the distances from the mean are averaged; a spread averages their squares",
            distance(first) / distance(second),
        ),
        (
            "the mean of the distances is squared; a spread is the mean of their squares",
            (distance(first) / distance(second)) ** 2,
        ),
        (
            "the distances are measured from the median; a spread measures them from the mean",
            median(first) / median(second),
        ),
        (
            "there is one mean for all coordinates; each coordinate has its own (var needs a dim)",
            first.var() / second.var(),
        ),
        (
            "the variance is taken along each row; it goes down the columns, over the draws",
            first.var(dim=1).sum() / second.var(dim=1).sum(),
        ),
        (
            "the distances are measured from 0, and not from the mean of the outputs",
            first.square().sum() / second.square().sum(),
        ),
        ("only the first column is used; the variances of all columns are added up", columns[0]),
        *((by_column, each) for each in (columns.mean(), columns.sum())),
        *((divisors, right * factor) for factor in ((count - 1) / count, count / (count - 1))),
    ]


def shown(numbers: Tensor) -> str:
    """A tensor as text for a sentence."""
    if not numbers.ndim:
        return f"{float(numbers):.6g}"
    return f"[{', '.join(shown(each) for each in numbers)}]"


def named(answer: Answer, outputs: tuple[Tensor, Tensor, Tensor], result: float, tolerance: float) -> str:
    """The words about a mistake that gives `result` for these `outputs`, and what the answer gives in a call
    on which the mistakes differ; "" if there is none.
    """
    generator = torch.Generator().manual_seed(2)
    scale = torch.tensor([1.0, 2.0, 0.5], dtype=torch.float64)
    one, two = (
        scale * torch.randn(14, 3, generator=generator, dtype=torch.float64) + 0.7 * scale.flip(0)
        for scale in (scale, scale.roll(1) / 2)
    )
    epsilon = torch.tensor([1.3, 0.4, -0.6, 0.0, 1.1, 0.7, -0.2, 2.0, 0.0, 0.9, -1.1, 1.6, 0.2, -0.3])
    try:
        found = number(answer(one, two, epsilon.double()), "the ratio")
    except (AnswerFailed, NotYet):
        return ""
    known = zip(slips(one, two, epsilon.double()), slips(*(each.double() for each in outputs)), strict=True)
    for (words, value), (_, before) in known:
        if abs(found - value) <= PRECISE * abs(value) and abs(result - before) <= tolerance * abs(before):
            return f". {POSSIBLE}{words}"
    return ""


def judge(answer: Answer, one: Tensor, two: Tensor, epsilon: Tensor, wanted: float, case: str = "") -> None:
    """Raise NotYet unless the answer for these outputs is `wanted`. Without a `case` they are shown."""
    case = case or f"for one = {shown(one)}, two = {shown(two)} and epsilon = {shown(epsilon)}"
    found = number(answer(one, two, epsilon), f"{case} the ratio")
    tolerance = IN_FLOAT32 if one.dtype is torch.float32 else PRECISE
    if abs(found - wanted) > tolerance * wanted:
        should, yours = told(wanted, found, 7)
        cause = named(answer, (one, two, epsilon), found, tolerance)
        expect(False, f"{case} your ratio is {yours}; it should be {should}{cause}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Four sets of outputs that you can compute on paper, the failed draws first in the last one; then one
    of numbers with more digits, with an epsilon just above 0; that again the other way round, and tiny.
    Then 2,000 outputs.
    """
    failed_one = torch.tensor([[0.0, 9.0], [1.0, 8.0]], dtype=torch.float64)
    failed_two = torch.tensor([[7.0, 0.0], [6.0, 1.0]], dtype=torch.float64)
    # Squared distances from the mean (0, 0): 4 + 1 = 5 and 1/4 + 1 = 5/4, so the ratio is 4.
    one = torch.tensor([[2.0, 1.0], [-2.0, -1.0]], dtype=torch.float64)
    two = torch.tensor([[0.5, 1.0], [-0.5, -1.0]], dtype=torch.float64)
    epsilon = torch.tensor([1.3, 2.0, -0.1, -0.4], dtype=torch.float64)
    judge(answer, torch.cat([one, failed_one]), torch.cat([two, failed_two]), epsilon, 4.0)
    # The same around (5, 1) and (3, 3): a spread does not depend on where the mean is.
    one, two = one + torch.tensor([5.0, 1.0]), two + torch.tensor([3.0, 3.0])
    judge(answer, torch.cat([one, failed_one]), torch.cat([two, failed_two]), epsilon, 4.0)
    # Variances 2/3 + 8/3 = 10/3 for one head and 2/3 + 2/3 = 4/3 for two: 5/2.
    one = torch.tensor([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]], dtype=torch.float64)
    two = torch.tensor([[0.0, 2.0], [2.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
    for fourth in (-0.5, 0.0):
        epsilon = torch.tensor([1.1, 1.2, 0.7, fourth, -1.0], dtype=torch.float64)
        judge(answer, torch.cat([one, failed_one]), torch.cat([two, failed_two]), epsilon, 2.5)
    # Three coordinates. Squared distances 400 + 100 + 1 = 501 and 1 + 0 + 1/4 = 5/4, so the ratio is 400.8.
    wide_one = torch.tensor([[9.0, 0, 9], [20, 10, 1], [8, 1, 0], [-20, -10, -1]], dtype=torch.float64)
    wide_two = torch.tensor([[0.0, 7, 7], [1, 0, 0.5], [1, 6, 0], [-1, 0, -0.5]], dtype=torch.float64)
    failed_between = torch.tensor([-0.3, 1.5, -2.0, 0.6], dtype=torch.float64)
    judge(answer, wide_one, wide_two, failed_between, 400.8)
    # Numbers of three digits, so that nothing is lost in rounding only by luck.
    one = torch.tensor([[1.37, 0.2], [0.11, 2.93], [4.69, 1.01], [0.53, 0.77]], dtype=torch.float64)
    two = torch.tensor([[0.31, 0.4], [0.23, 0.17], [0.97, 0.59], [0.41, 0.83]], dtype=torch.float64)
    first, second = (float(outputs[:3].var(dim=0).sum()) for outputs in (one, two))
    judge(answer, one, two, torch.tensor([0.7, 1.9, 0.8, -1.2], dtype=torch.float64), first / second)
    epsilon = torch.tensor([1e-9, 1.9, 0.8, -1e-9], dtype=torch.float64)
    judge(answer, one, two, epsilon, first / second)
    # The same with the two exchanged, which is a ratio below 1, and with tiny outputs.
    judge(answer, two, one, epsilon, second / first)
    judge(answer, 1e-5 * one, 1e-5 * two, epsilon, first / second)
    # More draws; each output occurs many times, the first one twice as often.
    one, two, epsilon = (
        torch.cat([each, each[:1]]).repeat_interleave(400, dim=0) for each in (one, two, epsilon.abs())
    )
    first, second = (float(outputs.var(dim=0).sum()) for outputs in (one, two))
    case = "for 2,000 outputs in 2 dimensions, each of them 400 or 800 times,"
    judge(answer, one, two, epsilon, first / second, case)
    leaves_alone(answer, ("`one`", "`two`", "`epsilon`"), one, two, epsilon)
    return right("as worked out by hand on four sets of outputs, and on one with more digits")


EXERCISE = Exercise(
    id="variance_ratio",
    title="Compare the spread of one head and two",
    order=7,
    points=1,
    difficulty=2,
    importance=3,
    minutes=10,
    source="this course, after CS224n A5 1(d)ii",
    hints=(
        (
            "First exclude the draws in which head 0 failed, from both sets of outputs. Which of the three"
            " arguments shows them?"
        ),
        (
            "The spread of points is their mean squared distance from their own mean. In coordinates that is"
            " a sum of variances."
        ),
        (
            "For each set: keep the rows with epsilon above 0, take the variance of each column, and add them"
            " up. Then divide."
        ),
    ),
    check=check,
)
