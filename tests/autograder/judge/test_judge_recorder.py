"""What stands in nbgrader's gradebook, in the autograded copy and on the feedback page
after a result is recorded.
"""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, replace

import pytest
from recorded import dump, judged, record, result
from tiny_course import SKELETON

from autograder.gradebook import recorder
from autograder.gradebook.feedback import RUBRIC_TAG
from autograder.gradebook.gradebook import gradebook_marks, open_gradebook
from autograder.gradebook.recorder import Recorder
from autograder.judge.results import Judged, Status, SubmissionResult
from kqa_core.check.exercise import JudgeError
from kqa_core.errors import UserError


def grades(course, student="ann"):
    with open_gradebook(course) as book:
        notebook = book.find_submission_notebook("tiny", "tiny", student)
        return {
            grade.name: (grade.auto_score, grade.manual_score, grade.needs_manual_grade)
            for grade in notebook.grades
        }


def give(course, cell, mark):
    with open_gradebook(course) as book:
        grade = book.find_grade(cell, "tiny", "tiny", "ann")
        grade.manual_score, grade.needs_manual_grade = mark, False
        book.db.commit()


def test_scores_stand_on_the_check_cells_and_written_answers_wait(course):
    record(course, judged())
    assert grades(course) == {
        "check_double": (2.0, None, False),
        "check_total": (0.0, None, False),
        "why": (None, None, True),
    }
    assert gradebook_marks(course, "tiny") == {"ann": (2.0, 6.0, True)}
    assert gradebook_marks(course, "other") == {}


@pytest.mark.slow
def test_a_resubmission_resets_stale_scores(course):
    record(course, judged(2.0, 2.0))
    record(course, judged(0.0, 0.0))
    assert grades(course)["check_double"] == (0.0, None, False) and grades(course)["check_total"][0] == 0.0


@pytest.mark.slow
def test_a_manual_mark_stays_and_is_flagged_only_if_the_answer_changed(course):
    record(course, judged())
    give(course, "why", 1.5)
    give(course, "check_total", 1.0)
    record(course, judged(), changed=False)
    assert grades(course)["why"] == (None, 1.5, False) and grades(course)["check_total"] == (0.0, 1.0, False)
    record(course, judged(total=0.0), changed=True)
    assert grades(course)["why"] == (None, 1.5, True) and grades(course)["check_total"] == (0.0, 1.0, True)


def test_an_untouched_written_answer_is_zero_and_waits_for_nobody(course):
    blank = judged()
    untouched = replace(
        blank.result.exercises[2], status=Status.UNATTEMPTED, marks=0.0, outcome="unattempted"
    )
    blank = replace(blank, result=replace(blank.result, exercises=(*blank.result.exercises[:2], untouched)))
    record(course, blank)
    assert grades(course)["why"] == (0.0, None, False)
    with open_gradebook(course) as book:
        assert book.find_comment("why", "tiny", "tiny", "ann").comment == "No response."


def test_our_own_fault_is_no_mark_but_waits_for_a_person(course):
    broken = judged()
    first = replace(broken.result.exercises[0], status=Status.BROKEN, marks=None, outcome="error")
    record(
        course,
        replace(broken, result=replace(broken.result, exercises=(first, *broken.result.exercises[1:]))),
    )
    assert grades(course)["check_double"] == (None, None, True)


def test_a_submission_that_could_not_be_judged_is_left_as_it_was(course):
    record(course, judged())
    before = grades(course)
    record(course, Judged(SubmissionResult("ann", "tiny", Status.BROKEN, reason="lost")))
    assert grades(course) == before


def test_a_refused_resubmission_loses_the_old_score_and_says_why(course):
    record(course, judged())
    record(course, Judged(SubmissionResult("ann", "tiny", Status.REFUSED, reason="the file is <empty>")))
    assert {grade[0] for grade in grades(course).values()} == {0.0}
    assert not (course / "autograded/ann/tiny").exists()
    assert "refused: the file is &lt;empty&gt;" in (course / "feedback/ann/tiny/tiny.html").read_text()


def test_an_answer_that_was_found_by_other_means_waits_until_a_person_has_looked(course):
    doubtful = judged()
    total = replace(doubtful.result.exercises[1], look="found by its place")
    exercises = (doubtful.result.exercises[0], total, doubtful.result.exercises[2])
    doubtful = replace(doubtful, result=replace(doubtful.result, exercises=exercises))
    record(course, doubtful)
    assert grades(course)["check_total"] == (0.0, None, True), "the checks' score, and a person to look at it"
    assert "2 answers still wait for a person" in (course / "feedback/ann/tiny/tiny.html").read_text()
    with open_gradebook(course) as book:
        grade = book.find_grade("check_total", "tiny", "tiny", "ann")
        grade.manual_score, grade.needs_manual_grade = 1.5, False
        book.db.commit()
    record(course, doubtful, changed=False)
    assert grades(course)["check_total"] == (0.0, 1.5, False), "the person has looked"
    assert "1 answer still waits for a person" in (course / "feedback/ann/tiny/tiny.html").read_text()


def test_an_unreadable_submission_has_no_score_and_waits_for_a_person(course):
    unreadable = SubmissionResult("ann", "tiny", Status.UNREADABLE, reason="nothing was found")
    record(course, Judged(unreadable, judged().cells))
    assert set(grades(course).values()) == {(None, None, True)}
    assert gradebook_marks(course, "tiny", None, {"ann": unreadable}) == {}, "no mark, and no zero"
    assert "HELPER = 1" in (course / "autograded/ann/tiny/tiny.ipynb").read_text(), "a person can read it"
    page = (course / "feedback/ann/tiny/tiny.html").read_text()
    assert "unreadable: nothing was found" in page and "0 of" not in page
    record(course, judged(), changed=True)
    assert grades(course)["check_double"] == (2.0, None, False), "a later submission is marked as ever"


def test_the_autograded_copy_holds_our_sentences_the_answers_and_the_rubric(course):
    record(course, judged(code="def double(x):\n    return 2 * x"))
    notebook = json.loads((course / "autograded/ann/tiny/tiny.ipynb").read_text())
    outputs = [output["text"] for cell in notebook["cells"] for output in cell.get("outputs", [])]
    assert outputs == ["double: right: said by us\n", "total: not yet: <b>& the total is wrong\n"]
    sources = [cell["source"] for cell in notebook["cells"]]
    assert "def double(x):\n    return 2 * x" in sources and "HELPER = 1" in sources
    assert "<div><p>Because &lt;script&gt;alert(1)&lt;/script&gt; a&lt;b.</p>&#10;</div>" in sources
    (rubric,) = [
        cell["source"] for cell in notebook["cells"] if RUBRIC_TAG in cell["metadata"].get("tags", [])
    ]
    assert "names the model answer's reason" in rubric and "blames the moon" in rubric
    assert "HIDDEN" not in json.dumps(notebook) and len({cell["id"] for cell in notebook["cells"]}) == len(
        notebook["cells"]
    )


def test_the_feedback_page_escapes_everything_and_shows_no_rubric(course):
    record(course, judged())
    page = (course / "feedback/ann/tiny/tiny.html").read_text()
    assert "&lt;b&gt;&amp; the total is wrong" in page and "said by us" in page
    assert "<script" not in page and "model answer" not in page
    assert "http" not in page.replace("http-equiv", "")


@pytest.mark.slow
def test_nbgraders_own_feedback_works_after_it_and_leaves_the_rubric_out(course):
    from nbgrader.converters import GenerateFeedback
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config

    from autograder.gradebook.gradebook import read_settings
    from autograder.paths import COURSE

    record(course, judged())
    config = Config(read_settings(COURSE))  # and no KQA_COURSE for the tests after this one
    config.CourseDirectory.root = str(course)
    directory = CourseDirectory(config=config)
    directory.assignment_id = "tiny"
    logging.getLogger("traitlets").setLevel(logging.ERROR)
    GenerateFeedback(coursedir=directory, config=config, force=True).start()
    page = (course / "feedback/ann/tiny/tiny.html").read_text()
    assert "said by us" in page and "<script>alert" not in page
    assert "Rubric" not in page and "model answer" not in page


@pytest.mark.slow
def test_the_same_results_twice_or_in_another_order_leave_the_same_gradebook(course, tmp_path):
    results = [judged(float(number % 3), student=f"s{number}") for number in range(5)]
    results.append(Judged(SubmissionResult("s9", "tiny", Status.REFUSED, reason="empty", received=1.7e9)))
    once, again = tmp_path / "once", tmp_path / "again"
    for folder in (once, again):
        folder.mkdir()
        # both are one course: its key makes the codes of model answers
        (folder / ".course_key").write_text("11" * 32 + "\n")
    record(once, *results)
    record(again, *reversed(results))
    record(again, *results, *results)
    assert dump(once) == dump(again) and len(dump(once)["submitted_assignment"]) == 6
    assert contents(once) == contents(again)


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("*/**/*.*") if path.is_file()
    }


@pytest.mark.slow
def test_what_a_crash_left_between_gradebook_and_files_is_whole_after_the_next_recording(course, monkeypatch):
    record(course, judged(2.0))
    give(course, "why", 1.5)

    def crash(path, text):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(recorder, "write_whole", crash)
        record(course, judged(1.0, 1.0))
    assert grades(course)["why"] == (None, 1.5, True)
    record(course, judged(1.0, 1.0), changed=False)
    assert grades(course) == {
        "check_double": (1.0, None, False),
        "check_total": (1.0, None, False),
        "why": (None, 1.5, True),
    }
    assert "1 of 2" in (course / "feedback/ann/tiny/tiny.html").read_text()


@pytest.mark.slow
def test_a_crash_before_the_commit_leaves_the_gradebook_as_it_was(course, monkeypatch):
    record(course, judged())
    before = dump(course)

    def crash(grade, result, changed, unreadable):
        raise KeyboardInterrupt

    with Recorder(course) as one:
        one.prepare(SKELETON)
        with monkeypatch.context() as patch:
            patch.setattr(recorder, "_score", crash)
            for student in ("ann", "bo"):
                with pytest.raises(KeyboardInterrupt):
                    one.record(judged(0.0, 1.0, student, received=1.8e9))
        assert dump(course) == before
        one.record(judged(student="cy"))  # and what comes next takes nothing of it along
    assert list(gradebook_marks(course, "tiny")) == ["ann", "cy"]


@pytest.mark.slow
def test_a_flag_that_nobody_answered_survives_a_regrade(course):
    record(course, judged())
    give(course, "why", 1.5)
    record(course, judged(1.0), changed=True)
    record(course, judged(1.0), changed=False)
    assert grades(course)["why"] == (None, 1.5, True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["<img src=x onerror=f()>", 'a" onclick="f()', "a\nb", "x" * 129, "..", ""])
def test_a_name_that_nbgrader_cannot_show_stays_out_of_its_gradebook(course, name):
    with pytest.warns(UserWarning, match="not in the gradebook"):
        record(course, judged(student=name), judged())
    assert list(gradebook_marks(course, "tiny")) == ["ann"]
    assert sorted(path.name for path in (course / "feedback").iterdir()) == ["ann"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ann", "O'Neill, Zoë (2)", "=HYPERLINK(1)", "x" * 128])
def test_an_unusual_name_is_recorded_as_it_is(course, name):
    record(course, judged(student=name))
    assert list(gradebook_marks(course, "tiny")) == [name]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("gradebook.db", "gradebook: its URL cannot be read; expected a URL such as"),
        ("postgresql://u:secret@host:port/x", "gradebook: its URL cannot be read"),
        (
            "oracel://u:secret@host/x",
            "gradebook oracel://u:\\*\\*\\*@host/x: there is no database of the kind 'oracel'",
        ),
        ("mysql+pymysql://u:secret@host/x", "gradebook .*: its driver 'pymysql' is not installed"),
        (
            "postgresql://u:secret@/x?host=/none&password=secret",
            "gradebook postgresql.*@/x: cannot be opened",
        ),
        ("sqlite:////proc/none/x.db", "gradebook sqlite:////proc/none/x.db: cannot be opened"),
        ("sqlite:///course.txt", "gradebook sqlite:.*course.txt: cannot be opened .file is not a database"),
    ],
)
def test_a_wrong_url_is_one_line_without_a_password(course, url, said):
    (course / "course.txt").write_text("no database, but long enough to be looked at as one. " * 100)
    with pytest.raises(UserError, match=said) as problem:
        Recorder(course, url)
    assert "secret" not in str(problem.value) and "\n" not in str(problem.value)


def test_settings_that_cannot_be_loaded_are_named(course):
    (course / "nbgrader_config.py").write_text("c = nothing()")
    with pytest.raises(UserError, match=r"nbgrader_config.py: cannot be loaded \(NameError"):
        Recorder(course)


def test_reading_makes_no_gradebook(tmp_path):
    assert gradebook_marks(tmp_path, "tiny") == {} and not (tmp_path / "gradebook.db").exists()


@pytest.mark.parametrize("marks", [float("nan"), float("inf"), -1.0, 2.5])
def test_a_mark_outside_its_range_is_an_error_of_the_judge(marks):
    with pytest.raises(JudgeError):
        result("double", marks)


def test_results_survive_being_written_as_json():
    one = judged().result
    assert SubmissionResult.from_json(json.loads(json.dumps(asdict(one)))) == one


def without_total():
    return replace(
        SKELETON, cells=tuple(cell for cell in SKELETON.cells if "total" not in (cell.grade_id or ""))
    )


@pytest.mark.slow
def test_an_exercise_that_was_withdrawn_leaves_the_gradebook_and_its_points_the_maximum(course):
    record(course, judged(2.0, 2.0))
    assert gradebook_marks(course, "tiny") == {"ann": (4.0, 6.0, True)}
    with Recorder(course) as book:
        book.prepare(without_total())
        book.record(judged(2.0, 2.0), changed=False)
    assert gradebook_marks(course, "tiny") == {"ann": (2.0, 4.0, True)}
    assert not any(
        "total" in row
        for rows in dump(course).values()
        for row in rows
        if row.count("total") > row.count("the total")
    )
    record(course, judged(2.0, 2.0))
    assert gradebook_marks(course, "tiny") == {"ann": (4.0, 6.0, True)}, "and it may come back"


@pytest.mark.slow
def test_an_exercise_that_a_person_has_marked_cannot_be_withdrawn(course):
    record(course, judged(2.0, 2.0))
    give(course, "check_total", 1.0)
    before = dump(course)
    with (
        Recorder(course) as book,
        pytest.raises(UserError, match=r"total is no longer in the notebook.*ann.*extra=True"),
    ):
        book.prepare(without_total())
    assert dump(course) == before
