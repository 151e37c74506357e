"""Answer key of recall_by."""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict

import torch
from course_exercises.recall_by import Counts, counts_agree, dealt

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right

GROUPS: tuple[Counts, ...] = (
    {0: (3, 8), 1: (2, 2), 5: (0, 3), 2: (6, 7)},
    {"early": (4, 6), "late": (0, 2), "": (1, 3)},
    {7: (1, 1)},
    {(1, "a"): (2, 5), (0, "b"): (3, 3)},
    {-1: (0, 4), 0: (0, 2), 40: (9, 30), 41: (13, 20)},
)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Groups of every kind: group 0, an empty name, pairs; then none at all."""
    for wanted in GROUPS:
        counts_agree(answer, rng, wanted)
    counts_agree(answer, rng, {k: (rng.randint(0, 5), rng.randint(5, 9)) for k in rng.sample(range(-20, 60), 12)})
    counts_agree(answer, rng, {})
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The same kinds, and one in which each group stands together."""
    return [*(dealt(rng, wanted) for wanted in GROUPS), ([3, 3, 1, 1, 1], [True, False, True, True, False])]


def recall_by(groups, right):
    """The reference."""
    counts: dict[object, tuple[int, int]] = {}
    for group, hit in zip(groups, right, strict=True):
        hits, total = counts.get(group, (0, 0))
        counts[group] = (hits + hit, total + 1)
    return counts


def two_counters(groups, right):
    """Counts all, and those that are right."""
    total = Counter(groups)
    hits = Counter(group for group, hit in zip(groups, right, strict=True) if hit)
    return {group: (hits[group], total[group]) for group in total}


def lists_first(groups, right):
    """Gathers each group's answers."""
    gathered = defaultdict(list)
    for i, group in enumerate(groups):
        gathered[group].append(right[i])
    return {group: [sum(hits), len(hits)] for group, hits in gathered.items()}


def group_by_group(groups, right):
    """One pass for each group, with a tensor."""
    hits = torch.tensor(right, dtype=torch.int64)
    found = {}
    for group in set(groups):
        inside = torch.tensor([other == group for other in groups])
        found[group] = (int(hits[inside].sum()), int(inside.sum()))
    return found


def sorted_first(groups, right):
    """itertools.groupby, after sorting as text."""
    answers = sorted(zip(groups, right, strict=True), key=lambda pair: repr(pair[0]))
    found = {}
    for _, answers_of_group in itertools.groupby(answers, key=lambda pair: repr(pair[0])):
        run = list(answers_of_group)
        found[run[0][0]] = (sum(1 for _, hit in run if hit), len(run))
    return found


def shares(groups, right):
    """You return shares; 3 of 3 and 300 of 300 are the same share and not the same evidence: return both counts."""
    total = Counter(groups)
    hits = Counter(group for group, hit in zip(groups, right, strict=True) if hit)
    return {group: hits[group] / total[group] for group in total}


def only_with_hits(groups, right):
    """A group without a right answer is missing from your dict, and so the worst groups go unseen."""
    total = Counter(groups)
    hits = Counter(group for group, hit in zip(groups, right, strict=True) if hit)
    return {group: (hits[group], total[group]) for group in hits}


def of_all(groups, right):
    """Your second number is the number of all answers; it should be that of the group's."""
    hits = Counter(group for group, hit in zip(groups, right, strict=True) if hit)
    return {group: (hits[group], len(groups)) for group in set(groups)}


def the_wrong_ones(groups, right):
    """You count the wrong answers; count the right ones."""
    total = Counter(groups)
    misses = Counter(group for group, hit in zip(groups, right, strict=True) if not hit)
    return {group: (misses[group], total[group]) for group in total}


def right_and_wrong(groups, right):
    """Your second number counts the wrong answers; it should count all of the group."""
    total = Counter(groups)
    hits = Counter(group for group, hit in zip(groups, right, strict=True) if hit)
    return {group: (hits[group], total[group] - hits[group]) for group in total}


def turned_round(groups, right):
    """Your pairs are (total, right); they should be (right, total)."""
    total = Counter(groups)
    hits = Counter(group for group, hit in zip(groups, right, strict=True) if hit)
    return {group: (total[group], hits[group]) for group in total}


def runs_only(groups, right):
    """itertools.groupby gathers neighbours only, so a later run of the same group replaces an earlier one: sort first, or
    count in a dict.
    """
    found = {}
    for group, neighbours in itertools.groupby(zip(groups, right, strict=True), key=lambda pair: pair[0]):
        run = list(neighbours)
        found[group] = (sum(hit for _, hit in run), len(run))
    return found


def without_nought(groups, right):
    """Your `if group` leaves out group 0, which is a group like any other: here, those who were never told of."""
    counts: dict[object, tuple[int, int]] = {}
    for group, hit in zip(groups, right, strict=True):
        if group:
            hits, total = counts.get(group, (0, 0))
            counts[group] = (hits + hit, total + 1)
    return counts


def at_least(groups, right):
    """You count all answers of this group *or a higher one*; each group by itself was asked for."""
    found = {}
    for group in set(groups):
        inside = [hit for other, hit in zip(groups, right, strict=True) if type(other) is type(group) and other >= group]
        found[group] = (sum(inside), len(inside))
    return found


def as_text(groups, right):
    """Your keys are the groups as text; keep them as they are."""
    counts: dict[object, tuple[int, int]] = {}
    for group, hit in zip(groups, right, strict=True):
        hits, total = counts.get(str(group), (0, 0))
        counts[str(group)] = (hits + hit, total + 1)
    return counts


def the_last_only(groups, right):
    """You set a group's entry anew at each answer, so only its last one counts: add to what is there."""
    return {group: (int(hit), 1) for group, hit in zip(groups, right, strict=True)}


KEY = AnswerKey(
    id="recall_by",
    hidden=hidden,
    reference=recall_by,
    accepted=(two_counters, lists_first, group_by_group, sorted_first),
    rejected=(
        *(shares, only_with_hits, of_all, the_wrong_ones, right_and_wrong, turned_round, runs_only, without_nought, at_least),
        *(as_text, the_last_only),
    ),
    fingerprint=fingerprint,
)
