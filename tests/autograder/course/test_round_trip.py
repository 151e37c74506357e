"""From the release to the feedback and back through nbgrader's exchange, with nbgrader's own commands.

The instructor and each student have a home of their own, as on a hub. The course has one exercise and nothing
to train.
"""

from __future__ import annotations

import json
import shutil

import pytest
from exchange_course import NAME, RIGHT, WRONG, Course

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("round trip")]  # one course, one story


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Ada submitted a wrong answer through the exchange, and Bo sent a right one by mail."""
    made = Course(tmp_path_factory.mktemp("round trip"))
    made.answer(RIGHT)
    shutil.copytree(made.ada.work / NAME, made.folder / "submitted" / "bo" / NAME)
    made.submit(WRONG)
    made.grade()
    return made


def test_our_recording_leaves_the_cells_as_nbgraders_release_stored_them(course):
    assert course.source_cells() == course.released
    assert "BEGIN HIDDEN TESTS" in course.released["check_insert_sorted"][0]


@pytest.fixture(scope="module")
def first(course):
    """Ada's first feedback."""
    return course.give_back()


def test_feedback_reaches_the_student_although_another_one_sent_work_by_mail(first):
    (page,) = first.values()
    assert "You put x at the end" in page


@pytest.fixture(scope="module")
def taken_over(course, first):
    """nbgrader's own commands, which execute Ada's notebook and make its page after our recording."""
    return course.teacher.nbgrader("autograde", NAME, "--force"), course.teacher.nbgrader(
        "generate_feedback", NAME, "--force"
    )


def test_nbgrader_grades_after_our_recording_and_gives_the_same_marks(course, taken_over):
    assert "Inconsistent checksums" not in "".join(taken_over)
    assert (course.score("ada"), course.score("bo")) == (0.0, 2.0)
    page = (course.folder / "feedback" / "ada" / NAME / f"{NAME}.html").read_text()
    assert "insert_sorted: not yet" in page and course.beside() == (True, True)


def test_a_resubmission_is_graded_by_nbgrader_and_by_us_and_its_feedback_comes_back_too(
    course, taken_over, first
):
    course.submit(RIGHT)
    assert "Inconsistent" not in course.teacher.nbgrader("autograde", NAME, "--student", "ada")
    assert course.score() == 2.0
    course.grade()
    assert course.score() == 2.0 and course.beside() == (True, True)
    later = course.give_back()
    assert first.items() <= later.items() and len(later) == 2, "the page of the first submission stays"
    page = later[max(later)]
    assert "the number is in its place" in page and 'solution("insert_sorted", code=' in page


def test_the_watcher_does_in_one_command_what_the_instructor_did_in_three(course):
    course.answer(WRONG)
    course.ada.nbgrader("submit", NAME)
    told = course.teacher.run(
        "-m", "kqa_core.cli", "course", "watch", "--once", "--workers", 1, "--course", course.folder
    )
    assert (
        f"released ada, {NAME}: version 3, graded, 0 of 2 points" in told
        and f"released bo, {NAME}: version 1" in told
    )
    course.ada.nbgrader("fetch_feedback", NAME)
    pages = sorted((course.ada.work / NAME / "feedback").glob("*/*.html"))
    assert len(pages) == 3 and "You put x at the end" in pages[-1].read_text()
    assert course.score() == 0.0


def test_a_sample_submission_is_one_that_nbgrader_validates(course):
    sample = course.folder / "sample_class" / "submitted" / "cleo" / NAME / f"{NAME}.ipynb"
    kept = json.loads(sample.read_text())
    kept["cells"] = [cell for cell in kept["cells"] if "merge_sorted" not in cell["id"]]
    mine = course.folder / "cleo.ipynb"
    mine.write_text(json.dumps(kept))
    assert "Success! Your notebook passes all the tests." in course.teacher.nbgrader("validate", str(mine))
