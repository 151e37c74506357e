"""A grading run that is killed goes on where it stopped and ends as if nothing had happened."""

from __future__ import annotations

import psutil
import pytest
from another_course import working_on
from exchange_course import NAME
from small_course import outcome
from sorting_students import below, config_of, copy_course, start_grading, write_students

from autograder.course.grade import grade
from autograder.grading import batch
from autograder.grading.published import graded_notebooks
from autograder.sandbox.tiers import best_tier

pytestmark = pytest.mark.xdist_group("kills")  # one class, graded in peace once
STUDENTS = 10


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A class, the folder it handed in, and the course in which it was graded in peace."""
    course, folder = write_students(tmp_path_factory.mktemp("class"), STUDENTS)
    monkeypatch = pytest.MonkeyPatch()
    # the same for what runs in this process
    monkeypatch.setattr(batch, "code_digest", lambda *what: "of these tests")
    with working_on(course):
        graded = grade(config_of(course, folder))
        assert graded.differences == [] and len(graded.results) == STUDENTS
        yield course, folder
    monkeypatch.undo()


def kill(process):
    """End a process without a word, and wait for all that it had started to end by itself."""
    family = [process, *process.children(recursive=True)]
    process.kill()
    _, left = psutil.wait_procs(family, timeout=120)
    assert not left


def read(grading, lines):
    """Wait until a grading has told so many results more."""
    for _ in range(lines):
        assert grading.stdout.readline(), grading.communicate()[1]


@pytest.mark.slow
def test_a_run_that_is_killed_four_times_ends_in_the_same_gradebook(undisturbed, tmp_path):
    calm, folder = undisturbed
    course = copy_course(calm, tmp_path / "notebooks")
    tier = best_tier()

    first = start_grading(course, folder, tier, workers=2)
    read(first, 2)
    struck, other = below(first.pid, "autograder.grading.worker")
    kill(struck)
    read(first, 2)
    below(other.pid, "autograder.runner.fork_server")[
        0
    ].kill()  # no task is struck twice: that one would be lost
    read(first, 2)
    kill(psutil.Process(first.pid))
    first.communicate()

    second = start_grading(course, folder, tier)
    read(second, 7)  # of these, six or more were judged before
    kill(psutil.Process(second.pid))
    second.communicate()
    assert graded_notebooks(course) == []

    third = start_grading(course, folder, tier)
    told, said = third.communicate(timeout=600)
    assert third.returncode == 0, said
    assert len(told.splitlines()) == STUDENTS == len({line.split()[0] for line in told.splitlines()})
    assert outcome(course, NAME) == outcome(calm, NAME)


@pytest.mark.slow
def test_what_was_judged_before_is_not_judged_again_unless_asked(undisturbed, monkeypatch):
    course, folder = undisturbed
    before = outcome(course, NAME)

    def run_tasks(*rest):
        raise AssertionError("something is judged")

    monkeypatch.setattr(batch, "run_tasks", run_tasks)
    assert grade(config_of(course, folder)).differences == []
    assert outcome(course, NAME) == before
    with pytest.raises(AssertionError, match="is judged"):
        grade(config_of(course, folder, again=True))


@pytest.mark.slow
def test_two_coordinators_at_once_share_the_work_and_both_end_with_all_of_it(undisturbed, tmp_path):
    calm, folder = undisturbed
    course = copy_course(calm, tmp_path / "notebooks")
    tier = best_tier()
    both = [start_grading(course, folder, tier) for _ in range(2)]
    for process in both:
        told, said = process.communicate(timeout=600)
        assert process.returncode == 0, said
        assert len(told.splitlines()) == STUDENTS
    assert outcome(course, NAME) == outcome(calm, NAME)
