"""Answer key of held_out_head."""

from __future__ import annotations

import random

import numpy as np
import torch
from course_exercises.held_out_head import SMALL, TIED, agrees
from torch import Tensor

from autograder.answer_key import AnswerKey, mistakes
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right

Rows = tuple[Tensor, list[int], list[int]]


def drawn(rng: random.Random, count: int, heads: int, whole: bool = True) -> Rows:
    """Scores of `count` sentences, and two halves. One head is good on the second half alone."""
    generator = torch.Generator().manual_seed(rng.getrandbits(31))
    scores = torch.rand(count, heads, generator=generator, dtype=torch.float64)
    order = torch.randperm(count, generator=generator).tolist()
    choose, report = order[: count // 2], order[count // 2 :]
    scores = (scores > 0.5).double() if whole else scores
    scores[report, heads - 1] = 1.0
    scores[choose, heads - 1] = 0.0
    return scores, choose, report


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Many heads, uneven halves, rows that are in neither, several best heads."""
    for count, heads, whole in ((12, 5, True), (40, 72, True), (33, 9, False), (9, 2, True), (4, 1, False)):
        agrees(answer, *drawn(rng, count, heads, whole))
    agrees(answer, torch.tensor([[0.5004, 0.5008], [0.25, 0.75]]).double(), [0], [1])
    agrees(answer, torch.tensor([[0.5, 0.5 + 2**-23], [0.25, 0.75]]).double(), [0], [1])
    agrees(answer, torch.tensor([[0.25, 0.0, 0.5], [0.25, 0.5, 0.0], [0.75, 1.0, 0.0]]).double(), [1, 0], [2])
    agrees(answer, -1.0 - drawn(rng, 20, 4, whole=False)[0], [3, 0, 1], [12, 2])
    generator = torch.Generator().manual_seed(rng.getrandbits(31))
    counts = torch.randint(-999, 999, (7, 5), generator=generator)
    agrees(answer, counts, [6, 2, 0], [1, 3, 4])
    scores, choose, report = drawn(rng, 150, 130, whole=False)
    scores[:, rng.randrange(90, 129)] += 1.0
    agrees(answer, scores, choose, report)
    scores, choose, report = drawn(rng, 30, 6, whole=False)
    agrees(answer, scores, choose[:5], report[:3])
    agrees(answer, scores.float(), choose, report)
    agrees(answer, torch.tensor([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]).double(), [1, 2], [0])
    agrees(answer, torch.tensor([[0.0, 1.0, 1.0, 1.0, 0.0], [0.0, 0.25, 0.75, 0.5, 1.0]]).double(), [0], [1])
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The same kinds. There are as many heads as rows to choose on, so a row's number is a head's, too."""
    return [
        (SMALL, [1, 0], [4, 2, 3]),
        (SMALL, [3, 2], [0, 4]),
        (TIED, [0], [1]),
        drawn(rng, 12, 6),
        drawn(rng, 20, 10, whole=False),
    ]


def held_out_head(scores, choose, report):
    """The reference."""
    means = scores[choose].double().mean(dim=0).tolist()
    head = means.index(max(means))
    return head, scores[report, head].double().mean().item()


def in_numpy(scores, choose, report):
    """numpy's argmax gives the first of several; both values are numpy scalars."""
    table = scores.numpy().astype(float)
    head = np.argmax(table[choose].mean(axis=0))
    return head, table[report][:, head].mean()


def in_plain_python(scores, choose, report):
    """Loops over heads; returns a list."""
    rows = scores.tolist()
    best, best_mean = 0, float("-inf")
    for head in range(len(rows[0])):
        mean = sum(float(rows[i][head]) for i in choose) / len(choose)
        if mean > best_mean + 1e-12:
            best, best_mean = head, mean
    return [best, sum(float(rows[i][best]) for i in report) / len(report)]


def by_key(scores, choose, report):
    """max with a key returns the first of several."""
    table = scores.double()
    head = max(range(table.shape[1]), key=lambda each: table[choose, each].sum().item())
    return head, float(table[report, head].mean())


def by_selecting(scores, choose, report):
    """index_select, and torch scalars in the pair."""
    table = scores.to(torch.float64)
    sums = table.index_select(0, torch.tensor(choose)).sum(0)
    head = torch.nonzero(sums == sums.max())[0, 0]
    return head, table.index_select(0, torch.tensor(report))[:, head].mean()


def by_sorting(scores, choose, report):
    """A stable sort."""
    means = scores[choose].double().mean(0)
    head = torch.sort(means, descending=True, stable=True).indices[0].item()
    return head, sum(scores[report, head].double()) / len(report)


def chosen_on_all(scores, choose, report):
    """You choose on the rows of `report`, too, so they have an influence on the choice. Choose on the rows
    `choose` alone.
    """
    means = scores.double().mean(dim=0).tolist()
    head = means.index(max(means))
    return head, scores[report, head].double().mean().item()


def chosen_on_report(scores, choose, report):
    """You choose on the rows that you report. Choose on the rows `choose`."""
    means = scores[report].double().mean(dim=0).tolist()
    return means.index(max(means)), max(means)


def reported_on_choice(scores, choose, report):
    """You report the mean on the rows on which the head was chosen. It is too high on average."""
    means = scores[choose].double().mean(dim=0).tolist()
    return means.index(max(means)), max(means)


def last_of_several(scores, choose, report):
    """You take the last of several best heads. Take the one with the lowest number."""
    means = scores[choose].double().mean(dim=0).tolist()
    head = max(i for i, mean in enumerate(means) if mean == max(means))
    return head, scores[report, head].double().mean().item()


def the_lowest(scores, choose, report):
    """You choose the head with the lowest mean."""
    means = scores[choose].double().mean(dim=0).tolist()
    head = means.index(min(means))
    return head, scores[report, head].double().mean().item()


def best_row(scores, choose, report):
    """You take the mean over heads, so you choose a row. Take the mean over the rows."""
    means = scores[choose].double().mean(dim=1).tolist()
    head = means.index(max(means))
    return head, scores[report, min(head, scores.shape[1] - 1)].double().mean().item()


def first_row_only(scores, choose, report):
    """You choose by the first of the rows alone. Take the mean over all rows of `choose`."""
    row = scores[choose[0]].double().tolist()
    head = row.index(max(row))
    return head, scores[report, head].double().mean().item()


CHANGED = mistakes(
    held_out_head,
    {
        "reported_on_all": (
            "You report the mean on all rows. The rows of the choice must not count.",
            {"scores[report, head]": "scores[:, head]"},
        ),
        "other_way_round": (
            "You exchange the two lists of rows.",
            {"scores[choose]": "scores[report]", "scores[report, head]": "scores[choose, head]"},
        ),
        "best_of_report": (
            "You report the best head's mean on the rows `report`. Report the head that was chosen.",
            {"scores[report, head].double().mean()": "scores[report].double().mean(dim=0).max()"},
        ),
        "a_sum": ("You report a sum. Divide by the number of rows.", {".mean().item()": ".sum().item()"}),
        "value_alone": (
            "You return only the value. Return the pair (head, value).",
            {"return head, ": "return "},
        ),
        "from_one": (
            "You count heads from 1. They are counted from 0.",
            {"return head,": "return head + 1,"},
        ),
        "halves_of_the_table": (
            (
                "You choose on the first rows of the table and report on the rest. The rows to choose on are"
                " those in `choose`, in any order."
            ),
            {
                "scores[choose]": "scores[: len(scores) // 2]",
                "scores[report, head]": "scores[len(scores) // 2 :, head]",
            },
        ),
    },
)

KEY = AnswerKey(
    id="held_out_head",
    hidden=hidden,
    reference=held_out_head,
    accepted=(in_numpy, in_plain_python, by_key, by_selecting, by_sorting),
    rejected=(
        *(chosen_on_all, chosen_on_report, reported_on_choice, last_of_several, the_lowest),
        *(best_row, first_row_only),
        *CHANGED,
    ),
    fingerprint=fingerprint,
    commentary=(
        "The rows `choose` decide which head it is, and the rows `report` alone decide the number. Of 72"
        " heads that all guess, the best one on 64 sentences is right on about 60 %: the highest of many"
        " noisy numbers is too high. On other sentences it falls back to what it really does. The most common"
        " mistake is to report the number by which the head was chosen."
    ),
)
