"""The seeds of a check, and what a student's code may know of its inputs before it is given them: nothing."""

from __future__ import annotations

import hashlib
import hmac
import os
import stat

import pytest
from tiny_course import KEY, KEYS, LIMITS, SKELETON, submitted

from autograder.judge import verdict
from autograder.judge.seeds import VERSION, course_key, seed_for
from autograder.judge.verdict import JudgeContext, judge
from autograder.submissions.merge import graft
from kqa_core.errors import UserError

DRAWS_AGAIN = """
import random
def double(x):
    seen = [random.getstate()]
    again = random.Random()
    again.setstate(seen[0])
    return 2 * x if again.randint(2, 9) == x else 0
"""


def test_the_runners_random_numbers_do_not_tell_the_checks_inputs(judged, with_check):
    """An answer that could draw the check's inputs again would be right for every student;
    by chance it is for one in eight.
    """
    right = [
        judged(submitted(double=DRAWS_AGAIN), f"student {number}")["double"].outcome == "right"
        for number in range(6)
    ]
    assert not all(right)  # false alarm: 8 to the power of -6, less than 1 in 200,000


def test_a_check_still_draws_the_same_inputs_for_the_same_student(judged):
    asked = [
        judged(submitted(double="def double(x):\n    return x + 100"))["double"].sentence for _ in range(2)
    ]
    assert asked[0] == asked[1]


def test_a_seed_is_63_bits_of_the_hmac_of_all_it_belongs_to():
    digest = hmac.digest(KEY, f"{VERSION}|ann|double|hidden|code".encode(), hashlib.sha256)
    assert seed_for(KEY, "ann", "double", "hidden", "code") == int.from_bytes(digest[:8], "big") // 2
    others = [
        (KEY, "bo", "double", "hidden", "code"),
        (KEY, "ann", "total", "hidden", "code"),
        (KEY, "ann", "double", "visible", "code"),
        (KEY, "ann", "double", "hidden", "other code"),
    ]
    assert len({seed_for(*each) for each in [(b"l" * 32, "ann", "double", "hidden", "code"), *others]}) == 5


def test_the_courses_key_is_made_once_and_a_damaged_one_is_told(tmp_path):
    path = tmp_path / "new" / "course" / "key"
    made = course_key(path)
    assert len(made) == 32 and course_key(path) == made and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path] and course_key(tmp_path / "another") != made
    for damaged in ("", "00", "no key", "00" * 33):
        path.write_text(damaged)
        with pytest.raises(UserError, match="no course key"):
            course_key(path)
    with pytest.raises(UserError, match="cannot be written"):
        course_key(path / "below a file")


def test_a_full_disk_leaves_no_half_key(tmp_path, monkeypatch):
    def full(*rest):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "link", full)
    with pytest.raises(UserError, match="No space left on device"):
        course_key(tmp_path / "key")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_same_student_gets_the_same_inputs_again_and_another_student_others(launcher, monkeypatch):
    monkeypatch.setattr(verdict, "find_checked", KEYS.__getitem__)
    cells = submitted(double="def double(x):\n    return x + 100")  # the check's sentence names the x it drew

    def said(student, key=KEY):
        return judge(graft(SKELETON, cells), student, JudgeContext(key, launcher, LIMITS))[0].sentence

    assert said("ann") == said("ann")
    assert len({said(f"student {n}") for n in range(12)}) > 1
    assert len({said("ann", bytes([n]) * 32) for n in range(12)}) > 1
