"""Exercise permutation_p: would the answers fit the people as well if they were dealt out at random?"""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerFailed
from kqa_core.check.exercise import Exercise, NotYet, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import number, told
from kqa_core.exercise_helpers.transformer_parts import again

Given = tuple[Tensor, Tensor]


def case(rng: random.Random, n: int, count: int, share: float, own: float) -> Given:
    """A random matrix (n, n), True where an answer fits a person: on the diagonal with probability `own`,
    elsewhere with probability `share`. And `count` orders (count, n).
    """
    fits = torch.tensor([[rng.random() < (own if i == j else share) for j in range(n)] for i in range(n)])
    return fits, torch.tensor([rng.sample(range(n), n) for _ in range(count)])


def counts(fits: Tensor, orders: Tensor) -> tuple[int, list[int]]:
    """How many people their own answer fits, and how many the dealt ones fit, order by order."""
    table = fits.tolist()
    dealt = [sum(table[i][j] for i, j in enumerate(order)) for order in orders.tolist()]
    return sum(table[i][i] for i in range(len(table))), dealt


def expected(fits: Tensor, orders: Tensor) -> float:
    """The share of orders, with the real one, that fit at least as well."""
    own, dealt = counts(fits, orders)
    return sum(own <= count for count in [own, *dealt]) / (1 + len(dealt))


def mistakes(fits: Tensor, orders: Tensor) -> dict[str, float]:
    """The results of common mistakes."""
    own, dealt = counts(fits, orders)
    R, least, more = len(dealt), sum(x >= own for x in dealt), sum(x > own for x in dealt)
    swapped = counts(fits.T, orders)[1]
    return {
        "the real order is not counted, which adds 1 above and below": least / R,
        "only orders that fit better are counted; those that fit equally well count too": (1 + more)
        / (R + 1),
        "only orders that fit better are counted, and the real one is not": more / R,
        "the orders that fit worse, or equally well, are counted": (1 + sum(x <= own for x in dealt))
        / (R + 1),
        "1 is added above and not below": (1 + least) / R,
        "1 is added below and not above": least / (R + 1),
        "it is the share of people whose own answer fits, and not a p": own / len(fits),
        "answers and people are exchanged: with the order r, person i gets answer r[i]": (
            1 + sum(x >= own for x in swapped)
        )
        / (R + 1),
    }


def named(answer: Answer, found: float, given: Given) -> str:
    """The mistake that gives this p, and also what the answer says of two more cases; or "".

    In one small case several mistakes give the same p.
    """
    rng, names = random.Random(5), [name for name, p in mistakes(*given).items() if abs(found - p) < 1e-6]
    for sizes in ((14, 37, 0.3, 0.35), (11, 41, 0.4, 0.3)):
        if not names:
            break
        other = case(rng, *sizes)
        try:
            p = number(again(answer, *other), "p")
        except (AnswerFailed, NotYet):
            return ""
        names = [name for name in names if abs(p - mistakes(*other)[name]) < 1e-6]
    return names[0] if names else ""


def judge(answer: Answer, answered: object, given: Given, what: str = "") -> None:
    """Raise NotYet unless `answered` is the p of this case. `what` says what is special in its orders."""
    found, wanted = number(answered, "p"), expected(*given)
    if abs(found - wanted) < 1e-9 or abs(found - wanted) < 1e-6 * wanted:
        return
    own, dealt = counts(*given)
    fit, alike = sum(x > own for x in dealt), dealt.count(own)
    shown, mine = told(wanted, found)
    said = (
        f"with {len(given[0])} people, {own} of whom their own answer fits, and {len(dealt)} orders{what}, of"
        f" which {fit} fit more people and {alike} as many, p should be {shown}; yours is {mine}"
    )
    again_found = [number(again(answer, *given), "p") for _ in range(6)]
    other = next((p for p in again_found if p != found), None)
    if other is not None:
        raise NotYet(f"{said}, and {told(wanted, other)[1]} in another call with the same arguments")
    name = named(answer, found, given)
    raise NotYet(f"{said}. Possible cause: {name}" if name else said)


def with_repeated(rng: random.Random) -> Given:
    """Fifteen orders, of which the last five repeat others; without these five, p is another one."""
    while True:
        fits, orders = case(rng, 8, 10, 0.4, 0.4)
        given = fits, torch.cat((orders, orders[:5]))
        if abs(expected(*given) - expected(fits, orders)) > 0.02:
            return given


def extreme(rng: random.Random) -> list[Given]:
    """No answer fits anybody, every answer fits everybody, and only the own one fits; 300 orders."""
    orders = torch.tensor([rng.sample(range(5), 5) for _ in range(300)])
    return [
        (fits, orders) for fits in (torch.zeros(5, 5).bool(), torch.ones(5, 5).bool(), torch.eye(5).bool())
    ]


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The worked example; more people, over 127 and over 255 answers that fit; an effect, none, and the
    opposite of one; some orders twice; arguments unchanged.
    """
    example = (
        torch.tensor([[True, False, False], [False, True, True], [False, False, False]]),
        torch.tensor([[0, 1, 2], [1, 0, 2], [2, 1, 0], [0, 2, 1], [1, 2, 0]]),
    )
    judge(answer, answer(*example), example)
    for sizes in (
        (8, 40, 0.2, 0.7),
        (12, 30, 0.3, 0.3),
        (9, 25, 0.5, 0.2),
        (150, 6, 0.95, 0.8),
        (200, 6, 0.3, 0.8),
        (300, 4, 0.95, 0.8),
    ):
        given = case(rng, *sizes)
        judge(answer, again(answer, *given), given)
    given = case(rng, 8, 40, 0.3, 0.3)
    judge(answer, again(answer, *given), given, " (as many people and orders as in an earlier call)")
    twice = with_repeated(rng)
    judge(answer, again(answer, *twice), twice, " (the last five repeat others)")
    for given in (*extreme(rng), case(rng, 1, 6, 0.5, 0.5)):
        judge(answer, again(answer, *given), given)
    leaves_alone(answer, ("fits", "orders"), *example)
    return right()


EXERCISE = Exercise(
    id="permutation_p",
    title="A permutation test",
    order=16,
    points=3,
    difficulty=3,
    importance=4,
    minutes=18,
    source="ours, after Fisher 1935",
    hints=(
        (
            "In the worked example, which entries of `fits` belong to the real answers, and which to the"
            " order"
            " (1, 0, 2)?"
        ),
        (
            "The observed number is the sum of the diagonal. For each order, add up the entries [i, r[i]]."
            " Then"
            " count the orders whose number is at least the observed one, and the real order once more."
        ),
        (
            "With people = torch.arange(N), fits[people, orders] has the shape (R, N): its sum over the last"
            " axis is the number for each order. p is (1 + how many are ≥ observed) / (1 + R)."
        ),
    ),
    check=check,
)
