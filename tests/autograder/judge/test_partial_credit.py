"""An exercise with independent parts: each has its own points."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from tiny_course import EXERCISES, KEYS, submitted

from kqa_core.check.answer import Answer
from kqa_core.check.display import points_text, result_text
from kqa_core.check.exercise import Exercise, FieldError, JudgeError, Verdict, expect, right
from kqa_core.check.partial_credit import by_parts

PARTS = {"even": 1, "odd": 1}


def by_parity(numbers: range) -> object:
    def check(answer: Answer, rng: random.Random) -> Verdict:
        def part(name: str) -> None:
            for x in numbers[0 if name == "even" else 1 :: 2]:
                expect(answer(x) == 2 * x, f"the double of an {name} number is wrong")

        return by_parts(PARTS, part)

    return check


@pytest.fixture
def with_parts() -> Iterator[Exercise]:
    """The tiny course's first exercise with two parts:
    the visible check takes 0 to 3, the hidden one 4 to 9.
    """
    exercise = EXERCISES["double"]
    check, hidden = exercise.check, KEYS["double"].hidden
    object.__setattr__(exercise, "parts", PARTS)
    object.__setattr__(exercise, "check", by_parity(range(4)))
    object.__setattr__(KEYS["double"], "hidden", by_parity(range(4, 10)))
    yield exercise
    object.__setattr__(exercise, "parts", {})
    object.__setattr__(exercise, "check", check)
    object.__setattr__(KEYS["double"], "hidden", hidden)


@pytest.mark.parametrize(
    ("body", "marks", "told"),
    [
        ("2 * x", 2, "right"),
        (
            "2 * x if x % 2 == 0 else 7",
            1,
            "the double of an odd number is wrong; right: even (1 of 2 points)",
        ),
        (
            "2 * x if x % 2 or x > 3 else 7",
            1,
            "the double of an even number is wrong; right: odd (1 of 2 points)",
        ),
        (
            "2 * x if x % 2 == 0 or x < 4 else 7",
            1,
            "the double of an odd number is wrong; right: even (1 of 2 points)",
        ),
        ("2 * x if x < 4 else 7", 0, "the double of an even number is wrong"),
        ("2 * x if x % 2 == x < 4 else 7", 0, "the double of an even number is wrong"),
        ("7", 0, "the double of an even number is wrong"),
    ],
)
def test_a_part_counts_if_both_checks_say_that_it_is_right(judged, with_parts, body, marks, told):
    result = judged(submitted(double=f"def double(x):\n    return {body}"))["double"]
    assert (result.marks, result.sentence) == (marks, told)
    assert result.outcome == ("right" if marks == 2 else "not yet")


def test_an_answer_that_raises_in_the_hidden_check_has_no_part(judged, with_parts):
    result = judged(
        submitted(double="def double(x):\n    return 2 * x if x in (0, 2) else 7 if x < 4 else 1 / 0")
    )["double"]
    assert result.marks == 0


def test_the_exercise_and_the_check_in_a_notebook_tell_the_points_of_parts(with_parts):
    assert points_text(with_parts) == "2 points: 1 for even, 1 for odd"
    verdict = Verdict("not yet", "wrong", right_parts=frozenset({"odd"}))
    assert result_text(with_parts, verdict, None) == "double: not yet: wrong; right: odd (1 of 2 points)"


def test_parts_must_have_the_points_of_the_exercise():
    with pytest.raises(JudgeError, match="its parts have 2 points, and it has 3"):
        Exercise("x", 1, 3, parts=PARTS)


@pytest.mark.parametrize(
    ("points", "parts", "concerned", "said"),
    [
        (2, {}, (), "2 of 2 points are decided when you submit: whether it is exact"),
        (2, PARTS, ("odd",), "1 of 2 points is decided when you submit: whether it is exact"),
        (0, {}, (), "one thing is decided when you submit: whether it is exact"),
    ],
)
def test_what_only_the_submission_decides_is_announced_in_place_of_right(points, parts, concerned, said):
    exercise = Exercise(
        "x", 1, points, parts=parts, decided_later="whether it is exact", decided_later_parts=concerned
    )
    assert result_text(exercise, right(), None) == f"x: passes the first check; {said}"
    assert result_text(exercise, right("it is close"), None) == (
        f"x: passes the first check: it is close; {said}"
    )


def test_a_part_that_the_submission_decides_is_not_called_right_beside_a_wrong_one():
    facts = {"decided_later": "whether it is exact", "decided_later_parts": ("odd",)}
    exercise = Exercise("x", 1, 3, parts={"even": 1, "odd": 1, "zero": 1}, **facts)
    verdict = Verdict("not yet", "wrong", right_parts=frozenset({"odd", "zero"}))
    assert result_text(exercise, verdict, None) == (
        "x: not yet: wrong; right: zero (1 of 3 points); passes the first check: odd"
    )
    with pytest.raises(FieldError, match="expected a tuple of names of parts"):
        Exercise("x", 1, 1, decided_later="why", decided_later_parts=("odd",))
