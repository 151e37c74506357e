"""Exercise variance_ratio: the variance of one head's outputs, divided by that of two heads' outputs.

The spread of outputs c is their total variance, E|c − E c|²: the sum of the coordinates' variances. Both
spreads are taken over the same draws, so dividing by N or by N − 1 makes no difference to the ratio.
"""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerFailed
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
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
        found: Tensor = numerator.var(dim=0).sum() / denominator.var(dim=0).sum()
        return found

    def distance(outputs: Tensor) -> Tensor:
        found: Tensor = (outputs - outputs.mean(dim=0)).norm(dim=1).mean()
        return found

    def median(outputs: Tensor) -> Tensor:
        found: Tensor = (outputs - outputs.median(dim=0).values).square().sum()
        return found

    count, right, columns = len(first), ratio(first, second), first.var(dim=0) / second.var(dim=0)
    failed = "you keep the draws that failed"
    kept_once = "you exclude the failed draws from one of the two sets only"
    by_column = "you divide column by column; add up the variances of the columns first, then divide"
    divisors = "one of your variances divides by the number of draws, the other by one less"
    return [
        (f"{failed}: keep only those with epsilon above 0", ratio(one, two)),
        *((kept_once, each) for each in (ratio(one, second), ratio(first, two))),
        *(
            (f"{failed} and exclude the others", ratio(one[some], two[some]))
            for some in (epsilon < 0, epsilon <= 0)
        ),
        (
            "head 0 fails also where epsilon is exactly 0: keep only the draws with epsilon above 0",
            ratio(one[epsilon >= 0], two[epsilon >= 0]),
        ),
        (
            "head 0 works wherever epsilon is above 0, not only above 1",
            ratio(one[epsilon > 1], two[epsilon > 1]),
        ),
        ("you divide the spread of two heads by that of one", 1 / right),
        (
            "yours is the root of that: do you divide standard deviations? A spread averages squares",
            right.sqrt(),
        ),
        (
            "you average the distances from the mean; a spread averages their squares",
            distance(first) / distance(second),
        ),
        (
            "you square the mean of the distances; a spread is the mean of their squares",
            (distance(first) / distance(second)) ** 2,
        ),
        (
            "you measure distances from the median; a spread measures them from the mean",
            median(first) / median(second),
        ),
        (
            "you use one mean for all coordinates; each coordinate has its own, so give var a dim",
            first.var() / second.var(),
        ),
        (
            "you take the variance along each row; it goes down the columns, over the draws",
            first.var(dim=1).sum() / second.var(dim=1).sum(),
        ),
        (
            "the distances are measured from the mean of the outputs, not from 0",
            first.square().sum() / second.square().sum(),
        ),
        ("you use the first column only; add up the variances of all columns", columns[0]),
        *((by_column, each) for each in (columns.mean(), columns.sum())),
        *((divisors, right * factor) for factor in ((count - 1) / count, count / (count - 1))),
    ]


def named(answer: Answer) -> str:
    """The words about the answer's mistake, from a call on which the mistakes differ; "" if it is none."""
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
    known = ((words, float(value)) for words, value in slips(one, two, epsilon.double()))
    return next((f": {words}" for words, value in known if abs(found - value) <= PRECISE * abs(value)), "")


def judge(answer: Answer, one: Tensor, two: Tensor, epsilon: Tensor, wanted: float, case: str) -> None:
    """Raise NotYet unless the answer for these outputs is `wanted`."""
    found = number(answer(one, two, epsilon), f"{case} the ratio")
    tolerance = IN_FLOAT32 if one.dtype is torch.float32 else PRECISE
    if abs(found - wanted) > tolerance * wanted:
        should, yours = told(wanted, found, 7)
        expect(False, f"{case} your ratio is {yours}; it should be {should}{named(answer)}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Four sets of outputs that you can compute on paper, the failed draws first in the last one; then one
    of numbers with more digits, with an epsilon just above 0; that again the other way round, and tiny.
    """
    failed_one = torch.tensor([[0.0, 9.0], [1.0, 8.0]], dtype=torch.float64)
    failed_two = torch.tensor([[7.0, 0.0], [6.0, 1.0]], dtype=torch.float64)
    # Squared distances from the mean (0, 0): 4 + 1 = 5 and 1/4 + 1 = 5/4, so the ratio is 4.
    one = torch.tensor([[2.0, 1.0], [-2.0, -1.0]], dtype=torch.float64)
    two = torch.tensor([[0.5, 1.0], [-0.5, -1.0]], dtype=torch.float64)
    epsilon = torch.tensor([1.3, 2.0, -0.1, -0.4], dtype=torch.float64)
    case = "for outputs ±(2, 1) and ±(½, 1), and two draws that failed,"
    judge(answer, torch.cat([one, failed_one]), torch.cat([two, failed_two]), epsilon, 4.0, case)
    # The same around (5, 1) and (3, 3): a spread does not depend on where the mean is.
    one, two = one + torch.tensor([5.0, 1.0]), two + torch.tensor([3.0, 3.0])
    case = "for outputs (5, 1) ± (2, 1) and (3, 3) ± (½, 1), and two draws that failed,"
    judge(answer, torch.cat([one, failed_one]), torch.cat([two, failed_two]), epsilon, 4.0, case)
    # Variances 2/3 + 8/3 = 10/3 for one head and 2/3 + 2/3 = 4/3 for two: 5/2.
    one = torch.tensor([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]], dtype=torch.float64)
    two = torch.tensor([[0.0, 2.0], [2.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
    outputs = (
        "for the outputs [[0, 0], [1, 2], [2, 4]] and [[0, 2], [2, 0], [1, 1]], and two draws that failed,"
    )
    for fourth, case in ((-0.5, outputs), (0.0, f"{outputs} one with an epsilon of exactly 0,")):
        epsilon = torch.tensor([1.1, 1.2, 0.7, fourth, -1.0], dtype=torch.float64)
        judge(answer, torch.cat([one, failed_one]), torch.cat([two, failed_two]), epsilon, 2.5, case)
    # Three coordinates. Squared distances 400 + 100 + 1 = 501 and 1 + 0 + 1/4 = 5/4, so the ratio is 400.8.
    wide_one = torch.tensor([[9.0, 0, 9], [20, 10, 1], [8, 1, 0], [-20, -10, -1]], dtype=torch.float64)
    wide_two = torch.tensor([[0.0, 7, 7], [1, 0, 0.5], [1, 6, 0], [-1, 0, -0.5]], dtype=torch.float64)
    failed_between = torch.tensor([-0.3, 1.5, -2.0, 0.6], dtype=torch.float64)
    case = "for outputs ±(20, 10, 1) and ±(1, 0, ½), each after a draw that failed,"
    judge(answer, wide_one, wide_two, failed_between, 400.8, case)
    # Numbers of three digits, so that nothing is lost in rounding only by luck.
    one = torch.tensor([[1.37, 0.2], [0.11, 2.93], [4.69, 1.01], [0.53, 0.77]], dtype=torch.float64)
    two = torch.tensor([[0.31, 0.4], [0.23, 0.17], [0.97, 0.59], [0.41, 0.83]], dtype=torch.float64)
    first, second = (float(outputs[:3].var(dim=0).sum()) for outputs in (one, two))
    case = (
        "for the outputs [[1.37, 0.2], [0.11, 2.93], [4.69, 1.01]] and [[0.31, 0.4], [0.23, 0.17], [0.97,"
        " 0.59]], and a draw that failed,"
    )
    judge(answer, one, two, torch.tensor([0.7, 1.9, 0.8, -1.2], dtype=torch.float64), first / second, case)
    epsilon = torch.tensor([1e-9, 1.9, 0.8, -1e-9], dtype=torch.float64)
    case = "for the same outputs, one with an epsilon of 1e-9, and a draw that failed, with −1e-9,"
    judge(answer, one, two, epsilon, first / second, case)
    # The same with the two exchanged, which is a ratio below 1, and with tiny outputs.
    case = "for two heads that vary more than one head, and a draw that failed,"
    judge(answer, two, one, epsilon, second / first, case)
    case = "for tiny outputs, and a draw that failed,"
    judge(answer, 1e-5 * one, 1e-5 * two, epsilon, first / second, case)
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
