"""Answer key of permutation_p."""

from __future__ import annotations

import random

import numpy as np
import torch
from course_exercises.permutation_p import case, extreme, judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Many sizes and effects; one call many times."""
    for n, count, share, own in (
        (2, 10, 0.5, 0.5),
        (20, 99, 0.1, 0.3),
        (15, 50, 0.4, 0.4),
        (10, 30, 0.6, 0.3),
        (30, 200, 0.05, 0.15),
        (5, 1, 0.5, 0.8),
        (300, 4, 0.95, 0.8),  # more than 255 answers fit
    ):
        given = case(rng, n, count, share, own)
        judge(answer, again(answer, *given), given)
    for given in extreme(rng):
        judge(answer, again(answer, *given), given)
    steady(answer, *case(rng, 6, 12, 0.3, 0.5))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """An effect, none, and the opposite of one."""
    sizes = ((8, 40, 0.2, 0.7), (12, 30, 0.3, 0.3), (9, 25, 0.5, 0.2), (6, 19, 0.3, 0.5))
    return [case(rng, *each) for each in sizes]


def permutation_p(fits, orders):
    """The reference."""
    people = torch.arange(len(fits))
    observed = fits[people, people].sum()
    dealt = fits[people, orders].sum(dim=1)  # (R,)
    return (1 + int((dealt >= observed).sum())) / (1 + len(orders))


def two_loops(fits, orders):
    """Order by order."""
    N, count = len(fits), 1
    own = sum(bool(fits[i, i]) for i in range(N))
    for order in orders.tolist():
        if sum(bool(fits[i, j]) for i, j in enumerate(order)) >= own:
            count += 1
    return count / (len(orders) + 1)


def real_order_as_one(fits, orders):
    """The real order is put in front of the others."""
    N = fits.shape[0]
    every = torch.cat((torch.arange(N)[None], orders))  # (1 + R, N)
    counts = fits.gather(1, every.T).sum(0)  # column r: order r
    return (counts >= counts[0]).double().mean().item()


def by_trace(fits, orders):
    """The columns are exchanged, and the trace is taken."""
    own = fits.long().trace()
    dealt = torch.stack([fits[:, order].long().trace() for order in orders])
    return float(((dealt >= own).sum() + 1) / (len(dealt) + 1))


def with_numpy(fits, orders):
    """numpy's fancy indices."""
    table, rows = fits.numpy().astype(int), orders.numpy()
    dealt = table[np.arange(len(table)), rows].sum(axis=1)
    return (1 + np.count_nonzero(dealt >= np.trace(table))) / (1 + len(rows))


def one_hot(fits, orders):
    """Each order as a matrix."""
    table = fits.double()
    matrices = torch.nn.functional.one_hot(orders, len(table)).double()  # (R, N, N)
    dealt = (matrices * table).sum((1, 2))
    return 1 - float((dealt < table.diagonal().sum()).sum()) / (1 + len(orders))


def sorted_counts(fits, orders):
    """The sorted numbers, and a search in them."""
    own = int(fits.diagonal().sum())
    counts = sorted(int(sum(fits[i, int(j)] for i, j in enumerate(order))) for order in orders)
    below = int(np.searchsorted(counts, own, side="left"))
    return (len(counts) - below + 1) / (len(counts) + 1)


def not_counted(fits, orders):
    """The real order is not counted. It is one of the possible orders: add 1 above and below."""
    people = torch.arange(len(fits))
    return float((fits[people, orders].sum(1) >= fits.diagonal().sum()).double().mean())


def strictly_better(fits, orders):
    """Only orders that fit better are counted. Those that fit equally well count, too."""
    people = torch.arange(len(fits))
    return (1 + int((fits[people, orders].sum(1) > fits.diagonal().sum()).sum())) / (1 + len(orders))


def other_side(fits, orders):
    """The orders that fit at most as well are counted. Count those that fit at least as well."""
    people = torch.arange(len(fits))
    return (1 + int((fits[people, orders].sum(1) <= fits.diagonal().sum()).sum())) / (1 + len(orders))


def plus_above_only(fits, orders):
    """1 is added above but not below, so p can be above 1."""
    people = torch.arange(len(fits))
    return (1 + int((fits[people, orders].sum(1) >= fits.diagonal().sum()).sum())) / len(orders)


def plus_below_only(fits, orders):
    """1 is added below but not above, so p can be 0."""
    people = torch.arange(len(fits))
    return int((fits[people, orders].sum(1) >= fits.diagonal().sum()).sum()) / (1 + len(orders))


def exchanged(fits, orders):
    """People and answers are exchanged. With the order r, person i gets the answer r[i]: fits[i, r[i]]."""
    people = torch.arange(len(fits))
    return (1 + int((fits[orders, people].sum(1) >= fits.diagonal().sum()).sum())) / (1 + len(orders))


def two_sided(fits, orders):
    """The p is doubled. The question is one-sided: do the answers fit better than dealt ones?"""
    people = torch.arange(len(fits))
    p = (1 + int((fits[people, orders].sum(1) >= fits.diagonal().sum()).sum())) / (1 + len(orders))
    return min(1.0, 2 * p)


def excess(fits, orders):
    """You return how much better the answers fit. Return the share of orders that fit at least as well."""
    people = torch.arange(len(fits))
    own = float(fits.diagonal().double().mean())
    return own - float(fits[people, orders].double().mean())


def share_that_fits(fits, orders):
    """You return the share of people whose own answer fits. Return p."""
    return float(fits.diagonal().double().mean())


def against_the_mean(fits, orders):
    """Each order is compared with the mean of all orders. Compare it with the real answers."""
    people = torch.arange(len(fits))
    dealt = fits[people, orders].sum(1).double()
    return (1 + int((dealt >= dealt.mean()).sum())) / (1 + len(orders))


def the_complement(fits, orders):
    """You return 1 − p."""
    people = torch.arange(len(fits))
    return 1 - (1 + int((fits[people, orders].sum(1) >= fits.diagonal().sum()).sum())) / (1 + len(orders))


def first_person_only(fits, orders):
    """Only the first person counts. Add up over all people."""
    own = int(fits[0, 0])
    return (1 + int((fits[0, orders[:, 0]].int() >= own).sum())) / (1 + len(orders))


def a_count(fits, orders):
    """You return a number of orders. Divide by the number of all orders, with the real one."""
    people = torch.arange(len(fits))
    return 1 + int((fits[people, orders].sum(1) >= fits.diagonal().sum()).sum())


KEY = AnswerKey(
    id="permutation_p",
    hidden=hidden,
    reference=permutation_p,
    accepted=(two_loops, real_order_as_one, by_trace, with_numpy, one_hot, sorted_counts),
    rejected=(
        not_counted,
        strictly_better,
        other_side,
        plus_above_only,
        plus_below_only,
        exchanged,
        two_sided,
        excess,
        share_that_fits,
        against_the_mean,
        the_complement,
        first_person_only,
        a_count,
    ),
    fingerprint=fingerprint,
    commentary="""
If the answers had nothing to do with the people, the real order would be one of R + 1 equally likely orders.
So p is the share of these that fit at least as well as the real one. The real one counts itself, so p is
never 0, and the smallest value that R random orders can give is 1/(1 + R).

The commonest mistake is to leave the real order out. Then p can be 0, which no number of random orders can
show.
""",
)
