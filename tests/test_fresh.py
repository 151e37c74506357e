"""The fresh answers of tests/fresh: every checked exercise has some, and one right and one wrong of each are
judged here.

`kqa bench fresh` judges them all, in some minutes, and writes the figure.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest

from autograder.course.answer_files import FileAnswer, answers_in
from autograder.course.try_answers import try_answers
from autograder.grading.config import JudgeConfig
from autograder.judge.results import ExerciseResult
from benchmarks.fresh import FRESH, ROUNDS
from kqa_core.check.registry import all_exercises

CHECKED = {exercise.id: exercise for exercise in all_exercises() if not exercise.written}
ANSWERS = answers_in(FRESH)
FEWEST = {True: 4, False: 6}  # right and wrong ones of an exercise
ALL = 2495  # answers; none is lost when they are moved


def test_every_checked_exercise_has_enough_fresh_answers_of_both_kinds() -> None:
    counts = Counter((answer.exercise, answer.right) for answer in ANSWERS)
    assert {exercise for exercise, _ in counts} == CHECKED.keys()
    assert not {name for name in CHECKED for kind, least in FEWEST.items() if counts[name, kind] < least}
    assert len({(answer.exercise, answer.place.partition("::")[2]) for answer in ANSWERS}) == len(ANSWERS)
    assert len(ANSWERS) >= ALL


@pytest.mark.parametrize("round_", ROUNDS)
def test_every_checked_exercise_has_a_first_measurement_of_each_round(round_: str) -> None:
    measured = json.loads((FRESH / f"{round_}.json").read_text(encoding="utf-8"))
    assert measured.keys() == CHECKED.keys()
    assert all(
        set(counts) == {"right", "wrong"} and all(0 <= bad <= total for bad, total in counts.values())
        for counts in measured.values()
    )


@pytest.mark.slow
def test_a_right_and_a_wrong_fresh_answer_of_each_exercise_are_judged_as_they_are_named() -> None:
    first: dict[tuple[str, bool | None], FileAnswer] = {}
    for answer in ANSWERS:
        first.setdefault((answer.exercise, answer.right), answer)
    results = list(try_answers(list(first.values()), JudgeConfig(workers=1)))
    assert len(results) == 2 * len(CHECKED)
    misjudged = {
        answer.place: str(result)
        for answer, result in results
        if not isinstance(result, ExerciseResult) or not answer.as_named(result.outcome)
    }
    assert misjudged == {}
