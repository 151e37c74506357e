"""Exercise mcnemar: whether two models that answered the same questions differ by more than chance."""

from __future__ import annotations

import math
import random
from itertools import accumulate

import numpy as np
import torch

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes
from kqa_core.check.helpers.read_values import kind_of, number, told

Counts = tuple[int, int, int, int]  # both right, only the first, only the second, neither


MANY = (40, 531, 469, 30)  # so many that 2^n is beyond float32, and n over m beyond 64 bits
LOPSIDED = (0, 997, 3, 0)  # p is about 3e-293: 1 minus the middle is 0


def dealt(rng: random.Random, counts: Counts) -> tuple[list[bool], list[bool]]:
    """Answers of two models to the same questions, in random order."""
    pairs = [
        pair
        for pair, n in zip(((True, True), (True, False), (False, True), (False, False)), counts, strict=True)
        for _ in range(n)
    ]
    rng.shuffle(pairs)
    return [a for a, _ in pairs], [b for _, b in pairs]


def fair_coin(lost: int, gained: int) -> float:
    """Of all equally likely sequences of heads and tails, the share that is at least as lopsided.
    Counted with whole numbers, each binomial coefficient from the one before.
    """
    total, few = lost + gained, min(lost, gained)
    row = accumulate(range(few), lambda ways, heads: ways * (total - heads) // (heads + 1), initial=1)
    return min(1.0, 2 * sum(row) / (1 << total))


def agrees(answer: Answer, rng: random.Random, counts: Counts) -> None:
    """Raise NotYet unless the answer gives these discordant pairs and their p-value."""
    case = dealt(rng, counts)
    with names_changes(answer, ("first", "second"), *case):
        _compare(answer(*case), counts)


def _compare(found: object, counts: Counts) -> None:
    """Raise NotYet unless `found` are the discordant pairs of these counts and their p-value."""
    _, lost, gained, _ = counts
    if isinstance(found, (torch.Tensor, np.ndarray)) and found.ndim == 1:
        found = found.tolist()
    if not isinstance(found, (tuple, list)) or len(found) != 3:
        raise NotYet(f"return three numbers, (only_first, only_second, p); yours is {kind_of(found)}")
    theirs = [
        number(each, what) for each, what in zip(found, ("only_first", "only_second", "p"), strict=True)
    ]
    shown = (
        f"{counts[0]} questions that both answer correctly, {lost} only the first, {gained} only the second,"
        f" {counts[3]} neither"
    )
    expect(
        theirs[:2] == [lost, gained],
        f"{shown}: only_first is {lost} and only_second is {gained}; yours are {theirs[0]:g} and"
        f" {theirs[1]:g}",
    )
    p = fair_coin(lost, gained)
    mine, yours = told(p, theirs[2], digits=6)
    expect(abs(theirs[2] - p) <= 1e-5 * p, f"{shown}: p = {mine}; yours is {yours}{named(counts, theirs[2])}")


def named(counts: Counts, p: float) -> str:
    """The mistake that gives this p-value, if it is a common one."""
    both, lost, gained, neither = counts
    exact = fair_coin(lost, gained)
    if lost != gained and abs(p - exact / 2) < 1e-6 * exact:
        return (
            f". {POSSIBLE}one tail is counted, which has this probability; a result as lopsided the other way"
            " counts, too"
        )
    if p > 1:
        middle = ": if the counts are equal, both tails contain the middle" if lost == gained else ""
        return f". A probability is at most 1{middle}"
    if any(math.isclose(p, fair_coin(lost + more, gained + more), rel_tol=1e-6) for more in (both, neither)):
        return f". {POSSIBLE}questions on which both models agree are counted, and they must not be"
    return ""


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The example, its mirror image, equal counts, no discordant pair, all on one side, and many pairs."""
    for counts in (
        *((22, 9, 1, 8), (5, 1, 9, 3), (7, 1, 6, 2), (3, 4, 4, 5), (6, 0, 0, 2), (4, 0, 6, 1)),
        *((0, 1, 1, 0), (2, 30, 1, 3)),
    ):
        agrees(answer, rng, counts)
    agrees(answer, rng, (rng.randint(20, 60), rng.randint(8, 20), rng.randint(20, 40), rng.randint(5, 30)))
    agrees(answer, rng, MANY)
    agrees(answer, rng, LOPSIDED)
    leaves_alone(answer, ("first", "second"), *dealt(rng, (3, 5, 2, 2)))
    return right("your test compares two models on the questions where they differ")


EXERCISE = Exercise(
    id="mcnemar",
    title="McNemar's test",
    order=1,
    points=3,
    difficulty=2,
    importance=5,
    minutes=10,
    source="McNemar 1947; Dietterich 1998",
    hints=(
        (
            "Only the questions on which exactly one of the models is right say anything about which model is"
            " better. Count the two kinds first."
        ),
        (
            "If both models are equally good, each of these n questions is a fair coin. Add up the"
            " probabilities of all results at least as lopsided as yours on one side, double the sum for the"
            " other side, and let it be at most 1."
        ),
        (
            "With n = only_first + only_second and m = the smaller of the two, one side is `sum(math.comb(n,"
            " i) for i in range(m + 1)) / 2**n`. For 9 and 1: (1 + 10) / 1024 = 0.0107, doubled 0.0215."
        ),
    ),
    check=check,
)
