"""A stored version that is damaged is our fault: it is put back where a copy is left, and never judged."""

from __future__ import annotations

import shutil
from types import SimpleNamespace

import pytest
from tiny_course import EXERCISES, LIMITS, NAME, hand_in, write_course
from workers_stand_in import WorkersStandIn

from autograder.course.grade import grade
from autograder.grading.config import GradingConfig
from autograder.judge.results import Status
from autograder.judge.tasks import SubmissionTask, perform
from autograder.submissions import skeleton
from autograder.submissions.store import manifest
from autograder.submissions.stored_bytes import mend

DAMAGE = {
    "emptied": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:100]),
    "one byte changed": lambda path: path.write_bytes(path.read_bytes().replace(b"x", b"y", 1)),
    "another student's": lambda path: path.write_bytes(path.read_bytes() + b" "),
    "gone": lambda path: path.unlink(),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.fixture(scope="module")
def graded_once(tmp_path_factory, empty):
    """A course in which Ann's submission was graded, and whose ledger is gone since."""
    made = write_course(tmp_path_factory.mktemp("graded") / "course")
    shutil.copy(empty, made)
    hand_in(made / "submitted", "ann", double="def double(x): return x + x")
    with pytest.MonkeyPatch.context() as patch:
        WorkersStandIn.instead_of_workers(patch)
        graded(made)
    shutil.rmtree(made / "judged")
    return made


@pytest.fixture
def course(graded_once, tmp_path, workers):
    """A copy of it for one test."""
    return shutil.copytree(graded_once, tmp_path / "course", symlinks=True)


def graded(course):
    return grade(GradingConfig(course=course, workers=1, limits=LIMITS, tier="forked", assignment=NAME))


def stored(course):
    (entry,) = manifest(course / "received", NAME)
    return entry, course / "received" / str(entry.file)


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damaged_bytes_are_no_verdict(course, damage, monkeypatch):
    monkeypatch.setattr(skeleton, "find", EXERCISES.__getitem__)
    entry, path = stored(course)
    damage(path)
    task = SubmissionTask(entry, course / "received", course / "source" / NAME / f"{NAME}.ipynb")
    judged = perform(task, SimpleNamespace(launcher=SimpleNamespace(tier="none"), limits=LIMITS))
    assert (judged.result.status, judged.result.exercises, judged.cells) == (Status.BROKEN, (), ())
    assert "the stored version is not what was received" in judged.result.reason


@pytest.mark.slow
@pytest.mark.parametrize("damage", [each for name, each in DAMAGE.items() if name != "a folder"])
def test_they_are_put_back_from_the_class_folder_before_anybody_judges(course, damage):
    _, path = stored(course)
    whole = path.read_bytes()
    damage(path)
    assert graded(course).differences == [] and path.read_bytes() == whole
    log = (course / "kqa.log").read_text()
    assert "WARNING" in log and "version 1 was damaged, and was put back" in log


def test_they_are_put_back_from_another_version_or_the_exchange(course, tmp_path):
    entry, path = stored(course)
    whole = path.read_bytes()
    (path.parent / "0002-copy.ipynb").write_bytes(whole)
    path.write_bytes(b"")
    assert mend(course / "received", entry, tmp_path / "nowhere", LIMITS) and path.read_bytes() == whole
    (path.parent / "0002-copy.ipynb").unlink()
    path.write_bytes(b"")
    assert not mend(course / "received", entry, tmp_path / "nowhere", LIMITS) and path.read_bytes() == b""


@pytest.mark.slow
def test_what_is_whole_or_has_no_copy_is_left_as_it_is(course):
    entry, path = stored(course)
    assert not mend(course / "received", entry, course / "submitted", LIMITS)
    hand_in(course / "submitted", "ann", double="def double(x): return 3")
    path.write_bytes(b"damaged")
    assert not mend(course / "received", entry, course / "submitted", LIMITS)
    assert path.read_bytes() == b"damaged"
