"""Honest submissions that look unusual get full marks,
and so does every reference, however it is written down.

A third of the submissions are judged here, and the references of one notebook in a third of the rewrites;
others after each change of the judge, or of the rewrites. All with KQA_ALL=1.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import rewrites
import unusual
from hostile_course import EXERCISES, NAME, as_bytes, code, honest, prose, write_course
from judging import JUDGE, contains
from portions import portion

from autograder.answer_key import AnswerKey, answer_source, find_key
from autograder.course.grade import grade
from autograder.grading.config import GradingConfig
from autograder.judge.results import Status
from autograder.paths import COURSE
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.skeleton import load_skeleton

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("honest")]
LIMITS = Limits(
    call_seconds=30.0, cell_seconds=30.0, extra_seconds=20.0, extras_seconds=120.0, exercise_seconds=90.0
)
ALL_NOTEBOOKS = (
    *("01_attention_as_a_lookup", "02_one_head_or_many", "03_keys_queries_values", "04_build_a_transformer"),
    *(
        "05_mini_transformer_lab",
        "06_span_corruption",
        "07_pretrain_finetune_evaluate",
        "09_the_synthesizer_and_its_relatives",
    ),
    *("12_kernels", "10_fine_tune_an_encoder", "08_what_does_the_model_know"),
)
NOTEBOOKS = portion(ALL_NOTEBOOKS, 11, rewrites.__file__)
REWRITES = portion(rewrites.ALL, 3, rewrites.__file__, *JUDGE)
UNUSUAL = portion(list(unusual.ALL), 3, unusual.__file__, *JUDGE)


def hand_in(school: Path, student: str, notebook: str, content: bytes) -> None:
    path = school / student / notebook / f"{notebook}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)


def judged(school: Path, course: Path) -> dict[tuple[str, str], object]:
    tier = None if contains() else "limits"  # this code is our own
    graded = grade(GradingConfig(submissions=school, workers=1, course=course, limits=LIMITS, tier=tier))
    assert graded.differences == []
    return {(result.student, result.assignment): result for result in graded.results}


def lost(result) -> list[str]:
    """Where the submission has less than full marks, and why."""
    checked = [each for each in result.exercises if not each.written]
    short = [each for each in checked if each.marks != each.points]
    return [f"{each.exercise}, {each.stage} check: {each.sentence} ({each.incident})" for each in short] or (
        [] if result.status is Status.GRADED and checked else [f"{result.status}: {result.reason}"]
    )


@pytest.fixture(scope="module")
def unusual_class(tmp_path_factory):
    root = tmp_path_factory.mktemp("unusual")
    for name in UNUSUAL:
        tree = honest()
        changed = unusual.ALL[name](tree)
        hand_in(root / "class", name, NAME, changed if isinstance(changed, bytes) else as_bytes(tree))
    yield judged(root / "class", write_course(root / "course"))
    shutil.rmtree(root, ignore_errors=True)


@pytest.mark.parametrize("name", UNUSUAL)
def test_an_unusual_right_submission_has_full_marks(unusual_class, name):
    result = unusual_class[name, NAME]
    assert lost(result) == []
    assert len(result.exercises) == len(EXERCISES[NAME])


def references(notebook: str) -> dict[str, str]:
    skeleton = load_skeleton(COURSE / "source" / notebook / f"{notebook}.ipynb")
    keys = {exercise.id: find_key(exercise.id) for exercise in skeleton.exercises}
    return {
        name: answer_source(name, key.reference) for name, key in keys.items() if isinstance(key, AnswerKey)
    }


@pytest.fixture(scope="module")
def rewritten_class(tmp_path_factory):
    root = tmp_path_factory.mktemp("rewritten")
    for notebook in NOTEBOOKS:
        place = root / "course" / "source" / notebook
        place.mkdir(parents=True)
        shutil.copy(COURSE / "source" / notebook / f"{notebook}.ipynb", place)
        for rewrite in REWRITES:
            cells = [
                code(source, f"{name or 'own'}-{number}", name)
                for number, (name, source) in enumerate(rewrite(references(notebook)))
            ]
            tree = {**honest(), "cells": [prose("Mine.", "mine"), *cells]}
            hand_in(root / "class", rewrite.__name__, notebook, as_bytes(tree))
    yield judged(root / "class", root / "course")
    shutil.rmtree(root, ignore_errors=True)


@pytest.mark.parametrize("notebook", NOTEBOOKS)
@pytest.mark.parametrize("rewrite", REWRITES, ids=lambda rewrite: rewrite.__name__)
def test_a_reference_that_is_written_down_otherwise_has_full_marks(rewritten_class, rewrite, notebook):
    result = rewritten_class[rewrite.__name__, notebook]
    assert lost(result) == []
    assert [each.exercise for each in result.exercises if not each.written] == list(references(notebook))


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_every_rewrite_is_another_text_than_the_reference(notebook):
    plain = list(references(notebook).items())
    assert all(rewrite(dict(plain)) != plain for rewrite in rewrites.EACH)
    assert all(each.__name__ in "".join(both.__name__ for both in rewrites.ALL) for each in rewrites.EACH)


def test_the_honest_submissions_are_summed_up(unusual_class, rewritten_class, capsys):
    """Prints the figures; the bar is all."""
    good = [sum(not lost(result) for result in each.values()) for each in (unusual_class, rewritten_class)]
    answers = sum(
        len([each for each in result.exercises if not each.written]) for result in rewritten_class.values()
    )
    with capsys.disabled():
        print(
            f"\nunusual submissions at full marks: {good[0]} of {len(unusual_class)}\nrewritten references at"
            f" full marks: {good[1]} of {len(rewritten_class)} notebooks ({answers} answers)"
        )
    assert good == [len(unusual_class), len(rewritten_class)]
    assert len(unusual.ALL) >= 15
