"""A part of the corpus in the other tiers: nothing is earned there that is not due.

A quarter of it is judged here, and another after every change of the judge; all of it with KQA_ALL=1.
"""

from __future__ import annotations

import pytest
from corpus import ALL
from hostile_course import NAME
from judging import ALONE, JUDGE, following, judge_class, left_running, plain, student
from portions import portion

from autograder.judge.results import Status
from autograder.sandbox.tiers import problem_with

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("hostile")]
KINDS = {  # none of them would harm a machine without a sandbox
    *(
        "endless-function",
        "exit-process",
        "crash",
        "memory-list",
        "huge-power",
        "forged-replies",
        "forged-garbage",
    ),
    *(
        "closes-everything",
        "cell-reply-collides",
        "cell-reply-fills",
        "half-closed",
        "tampered-runner",
        "patched-everything",
    ),
    *(
        "claims-equality",
        "searches-memory",
        "type-name-escapes",
        "exception-of-scripts",
        "quadratic-cell",
        "broken-json",
    ),
    *("part-beside-a-trap", "link-to-solutions", "environment"),
}
EVERY = [number for number, fixture in enumerate(ALL) if fixture.name in KINDS]
NUMBERS = portion(EVERY, 4, *JUDGE)


def judged(root, **how):
    """A line for everything that is not as it should be; and the class."""
    assert len(EVERY) == len(KINDS) and not any(ALL[number].contained for number in EVERY)
    seen = judge_class(NUMBERS, root, **how)
    said = []
    for number in NUMBERS:
        fixture = ALL[number]
        found = seen.results[student(fixture, number)]
        earned = sum(each["marks"] or 0.0 for each in found["exercises"])
        if earned > sum(fixture.marks.values()) or found["status"] == Status.BROKEN:
            said.append(f"{fixture.name}: {earned} marks, {found['status']} ({found['reason']})")
        if plain(seen.results[following(fixture, number)]) != plain(seen.results[ALONE[NAME]]):
            said.append(f"{fixture.name}: the neighbour's result has changed")
    assert left_running() == [] and (seen.differences, seen.markup, seen.changed) == ([], [], [])
    return said, seen


@pytest.mark.parametrize("tier", ["limits", "container"])
def test_nothing_is_earned_and_nobody_is_held_up_in_the_weaker_tiers(tier, tmp_path):
    problem = problem_with(tier)
    if problem is not None:
        pytest.skip(problem)
    said, seen = judged(tmp_path, tier=tier)
    assert said == []
    assert {result["sandbox"] for result in seen.results.values() if result["status"] == Status.GRADED} == {
        tier
    }
