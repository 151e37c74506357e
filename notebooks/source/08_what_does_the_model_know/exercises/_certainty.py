"""Made-up answers with confidences, and people with regions, for the checks of notebook 08.

- A case is built from its result. How many answers of each confidence are right is chosen first, and the
  result that an exercise asks for follows from these counts. No check computes the result the way a student
  would.
- Confidences are multiples of 1/4096, so that adding and comparing them needs no rounding.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import POSSIBLE, NotYet
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of, number

GRAIN = 4096
# each is the beginning of another, or has the same first letter
ALIKE = ("Dov", "Dovra", "Dovr", "Eshmar", "Eshm", "Dova", "Eshma", "Dovrin", "Estra", "Dovas")
REGIONS = ("Aldara", "Breosk", "Cinlo", "Dovra", "Eshmar", "Ferrow")


@dataclass(frozen=True)
class Level:
    """`count` answers of one confidence, of which `right` are right."""

    confidence: float
    count: int
    right: int


def levels(rng: random.Random, how_many: int, most: int = 6) -> list[Level]:
    """Different confidences, the highest first, each of 1 to `most` answers."""
    marks = sorted(rng.sample(range(1, GRAIN), how_many), reverse=True)
    counts = [rng.randint(1, most) for _ in marks]
    return [
        Level(mark / GRAIN, count, rng.randint(0, count)) for mark, count in zip(marks, counts, strict=True)
    ]


def laid_out(rng: random.Random, what: Sequence[Level]) -> tuple[list[float], list[bool]]:
    """The answers of these levels in random order: their confidences, and whether each is right."""
    answers = [(level.confidence, i < level.right) for level in what for i in range(level.count)]
    rng.shuffle(answers)
    return [confidence for confidence, _ in answers], [right for _, right in answers]


def in_words(what: Sequence[Level], confidences: list[float], right: list[bool]) -> str:
    """These levels, for a sentence: up to six answers as the lists that the call gets, up to four levels,
    or only their number.
    """
    if len(right) < 7:
        return f"confidences [{', '.join(f'{mark:.13g}' for mark in confidences)}] and right {right}"
    if len(what) > 4:
        return f"{len(right)} answers with {len(what)} different confidences"
    of_each = (f"{level.confidence:.13g} ({level.right} of {level.count} right)" for level in what)
    return f"the confidence{'s' * (len(what) > 1)} {', '.join(of_each)}"


def sorted_is_right(
    answer: Answer,
    confidences: list[float],
    right: list[bool],
    *more: object,
    agrees: Callable[[object], bool],
) -> str:
    """After a wrong result: what to say if it is right for the same answers sorted by confidence. Those of
    one confidence keep their order.
    """
    for down in (True, False):
        pairs = sorted(zip(confidences, right, strict=True), key=lambda pair: pair[0], reverse=down)
        try:
            found = agrees(answer([mark for mark, _ in pairs], [hit for _, hit in pairs], *more))
        except (AnswerRaised, NotYet):
            continue
        if found and confidences != [mark for mark, _ in pairs]:
            return (
                f". With these answers sorted by confidence, the {'highest' if down else 'lowest'} first,"
                f" yours is right. {POSSIBLE}it relies on their order"
            )
    return ""


def curve(what: Sequence[Level]) -> list[tuple[float, float]]:
    """(coverage, risk) when all answers down to each level are given,
    from the most confident to the least.
    """
    total = sum(level.count for level in what)
    points, given, wrong = [], 0, 0
    for level in sorted(what, key=lambda level: -level.confidence):
        given += level.count
        wrong += level.count - level.right
        points.append((given / total, wrong / given))
    return points


def pairs_kept(answer: Answer, *case: object) -> None:
    """After a wrong result: raise NotYet if the answer changes `confidences` or `right`, the first two."""
    try:
        leaves_alone(answer, ("confidences", "right"), *case)
    except NotYet:
        raise NotYet(
            "your code changes the list `confidences` or `right` in place: make a new list"
        ) from None


def binned(
    rng: random.Random, bins: int, filled: Sequence[int], most: int = 8
) -> tuple[list[float], list[bool], float]:
    """Answers in the bins `filled` of `bins` equal bins, and their calibration error."""
    answers, gaps = [], 0.0
    for k in filled:
        count = rng.randint(1, most)
        right = rng.randint(0, count)
        # grains of bin k: k/bins ≤ g/GRAIN < (k + 1)/bins
        inside = range(-(-k * GRAIN // bins), -(-(k + 1) * GRAIN // bins))
        marks = [rng.choice(inside) / GRAIN for _ in range(count)]
        gaps += abs(right - sum(marks))
        answers += [(mark, i < right) for i, mark in enumerate(marks)]
    rng.shuffle(answers)
    return [mark for mark, _ in answers], [right for _, right in answers], gaps / len(answers)


def people_of_regions(
    rng: random.Random, table: Sequence[Sequence[int]], regions: Sequence[str] = REGIONS
) -> tuple[list[str], list[str]]:
    """The regions of names and guesses: `table[i][j]` people have a name of region
    i and a guess of region j.
    """
    names = list(regions)
    rng.shuffle(names)
    pairs = [
        (names[i], names[j])
        for i, row in enumerate(table)
        for j, count in enumerate(row)
        for _ in range(count)
    ]
    rng.shuffle(pairs)
    return [name for name, _ in pairs], [guess for _, guess in pairs]


def table_excess(table: Sequence[Sequence[int]]) -> float:
    """How much more often the regions of a table agree than they would by chance, given its margins."""
    total = sum(map(sum, table))
    size = range(len(table))
    chance = sum(sum(table[k]) * sum(row[k] for row in table) for k in size) / total**2
    return sum(table[k][k] for k in size) / total - chance


def points_of(value: object, what: str) -> list[tuple[float, float]]:
    """`value` as a list of pairs of numbers. Raises NotYet unless it is one."""
    if isinstance(value, (torch.Tensor, np.ndarray)):
        value = value.tolist() if value.ndim == 2 else value
    if not isinstance(value, (list, tuple)):
        raise NotYet(f"{what} must be a list of pairs of numbers; yours is {kind_of(value)}")
    found = []
    for pair in value:
        if isinstance(pair, (torch.Tensor, np.ndarray)):
            pair = pair.tolist() if pair.ndim == 1 else pair
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            many = f" with {len(pair)} entries" if isinstance(pair, (list, tuple)) else ""
            raise NotYet(
                f"each entry of {what} must be a pair of numbers; one of yours is {kind_of(pair)}{many}"
            )
        found.append(
            (
                number(pair[0], f"the first number of a pair of {what}"),
                number(pair[1], f"the second of a pair of {what}"),
            )
        )
    return found
