"""Exercise recall_by: right answers, counted group by group."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of, number

Counts = dict[object, tuple[int, int]]


def dealt(rng: random.Random, wanted: Counts) -> tuple[list[object], list[bool]]:
    """Answers in random order that give exactly these counts: their groups, and whether each is right."""
    answers = [(group, i < hits) for group, (hits, total) in wanted.items() for i in range(total)]
    rng.shuffle(answers)
    return [group for group, _ in answers], [hit for _, hit in answers]


def counts_agree(answer: Answer, rng: random.Random, wanted: Counts) -> None:
    """Raise NotYet unless the answer finds these counts."""
    found = answer(*dealt(rng, wanted))
    if not isinstance(found, dict):
        raise NotYet(f"return a dict: group → (right, total); yours is {kind_of(found)}")
    for group, (hits, total) in wanted.items():
        expect(group in found, f"there are answers of group {group!r}; your dict has no such key")
        entry = found[group]
        if not isinstance(entry, (tuple, list)) or len(entry) != 2:
            raise NotYet(f"the entry of a group is a pair, (right, total); yours is {kind_of(entry)}")
        theirs = number(entry[0], "the number of right answers"), number(entry[1], "the number of answers")
        expect(
            theirs == (hits, total),
            f"in group {group!r}, {hits} of {total} answers are right; yours says {theirs[0]:g} of {theirs[1]:g}",
        )
    expect(len(found) == len(wanted), f"there are answers of {len(wanted)} groups; your dict has {len(found)} keys")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Groups named by numbers; one of them without a right answer."""
    counts_agree(answer, rng, {1: (2, 3), 3: (rng.randint(4, 8), 9), 2: (1, 4)})
    counts_agree(answer, rng, {4: (5, 5), 1: (0, rng.randint(2, 6)), 2: (3, 7)})
    return right("each group has its count")


EXERCISE = Exercise(
    id="recall_by",
    title="Recall by group",
    order=2,
    points=1,
    difficulty=1,
    importance=4,
    minutes=10,
    source="ours",
    hints=(
        "Go through the answers once. What has to be remembered for each group you meet?",
        "For each group two numbers: how many answers it has, and how many of them are right. A group may have no right answer "
        "and is still a group.",
        "groups [2, 1, 2], right [True, False, False] gives {2: (1, 2), 1: (0, 1)}. `zip(groups, right)` walks through both "
        "lists at once; `counts.get(group, (0, 0))` is what was counted of the group so far.",
    ),
    check=check,
)
