"""What stands in nbgrader's gradebook, in the autograded copy and on the feedback page after a result is recorded."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

import pytest
from tiny_course import KEYS, SKELETON, submitted

from autograder.judge import shown
from autograder.judge.graft import graft
from autograder.judge.recorder import Recorder, gradebook_marks, open_gradebook
from autograder.judge.results import ExerciseResult, Judged, ShownCell, Status, SubmissionResult
from autograder.judge.rubric import TAG
from autograder.judge.shown import RUBRIC_TAG, harmless_markdown
from autograder.key import WrittenKey
from kqa_core.check.facts import JudgeError

RUBRIC = WrittenKey("why", "Because the model answer says so.", ((1.0, "names the model answer's reason"),), ("blames the moon",))


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.setattr(shown, "find_key", lambda name: {**KEYS, "why": RUBRIC}[name])
    return tmp_path


def result(name, marks, status=Status.GRADED, sentence="said by us", outcome="right"):
    return ExerciseResult(name, status, outcome, marks, 2, sentence, written=name == "why")


def judged(double=2.0, total=0.0, student="ann", code=None):
    results = (
        result("double", double),
        result("total", total, sentence="<b>& the total is wrong", outcome="not yet"),
        result("why", None, Status.PERSON, outcome="written"),
    )
    answers = {"double": code} if code else {}
    grafted = graft(SKELETON, submitted([("double", "HELPER = 1")], why="Because <script>alert(1)</script> a<b.", **answers))
    cells = tuple(ShownCell(c.role, c.kind, c.source, c.cell.grade_id if c.cell else None) for c in grafted.cells)
    return Judged(SubmissionResult(student, "tiny", Status.GRADED, results, None, ("a note",), "digest", 1.7e9), cells)


def record(course, *each, changed=True):
    with Recorder(course) as recorder:
        recorder.prepare(SKELETON)
        for one in each:
            recorder.record(one, changed)


def grades(course, student="ann"):
    with open_gradebook(course / "gradebook.db") as book:
        notebook = book.find_submission_notebook("tiny", "tiny", student)
        return {grade.name: (grade.auto_score, grade.manual_score, grade.needs_manual_grade) for grade in notebook.grades}


def give(course, cell, mark):
    with open_gradebook(course / "gradebook.db") as book:
        grade = book.find_grade(cell, "tiny", "tiny", "ann")
        grade.manual_score, grade.needs_manual_grade = mark, False
        book.db.commit()


def test_scores_stand_on_the_check_cells_and_written_answers_wait(course):
    record(course, judged())
    assert grades(course) == {"check_double": (2.0, None, False), "check_total": (0.0, None, False), "why": (None, None, True)}
    assert gradebook_marks(course / "gradebook.db", "tiny") == {"ann": (2.0, 6.0, True)}
    assert gradebook_marks(course / "gradebook.db", "other") == {}


def test_a_resubmission_resets_stale_scores(course):
    record(course, judged(2.0, 2.0))
    record(course, judged(0.0, 0.0))
    assert grades(course)["check_double"] == (0.0, None, False) and grades(course)["check_total"][0] == 0.0


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
    untouched = replace(blank.result.exercises[2], status=Status.UNATTEMPTED, marks=0.0, outcome="unattempted")
    blank = replace(blank, result=replace(blank.result, exercises=(*blank.result.exercises[:2], untouched)))
    record(course, blank)
    assert grades(course)["why"] == (0.0, None, False)
    with open_gradebook(course / "gradebook.db") as book:
        assert book.find_comment("why", "tiny", "tiny", "ann").comment == "No response."


def test_our_own_fault_is_no_mark_but_waits_for_a_person(course):
    broken = judged()
    first = replace(broken.result.exercises[0], status=Status.BROKEN, marks=None, outcome="error")
    record(course, replace(broken, result=replace(broken.result, exercises=(first, *broken.result.exercises[1:]))))
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


def test_the_autograded_copy_holds_our_sentences_the_answers_and_the_rubric(course):
    record(course, judged(code="def double(x):\n    return 2 * x"))
    notebook = json.loads((course / "autograded/ann/tiny/tiny.ipynb").read_text())
    outputs = [output["text"] for cell in notebook["cells"] for output in cell.get("outputs", [])]
    assert outputs == ["double: right: said by us\n", "total: not yet: <b>& the total is wrong\n"]
    sources = [cell["source"] for cell in notebook["cells"]]
    assert "def double(x):\n    return 2 * x" in sources and "HELPER = 1" in sources
    assert "Because < script>alert(1)< /script> a< b." in sources
    assert RUBRIC_TAG == TAG
    (rubric,) = [cell["source"] for cell in notebook["cells"] if TAG in cell["metadata"].get("tags", [])]
    assert "names the model answer's reason" in rubric and "blames the moon" in rubric
    assert "HIDDEN" not in json.dumps(notebook) and len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])


def test_the_feedback_page_escapes_everything_and_shows_no_rubric(course):
    record(course, judged())
    page = (course / "feedback/ann/tiny/tiny.html").read_text()
    assert "&lt;b&gt;&amp; the total is wrong" in page and "said by us" in page
    assert "<script" not in page and "model answer" not in page and "http" not in page


def test_nbgraders_own_feedback_works_after_it_and_leaves_the_rubric_out(course):
    from nbgrader.converters import GenerateFeedback
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config
    from traitlets.config.loader import PyFileConfigLoader

    from autograder.course.release import COURSE

    record(course, judged())
    config = Config(PyFileConfigLoader("nbgrader_config.py", path=str(COURSE)).load_config())
    config.CourseDirectory.root = str(course)
    directory = CourseDirectory(config=config)
    directory.assignment_id = "tiny"
    logging.getLogger("traitlets").setLevel(logging.ERROR)
    GenerateFeedback(coursedir=directory, config=config, force=True).start()
    page = (course / "feedback/ann/tiny/tiny.html").read_text()
    assert "said by us" in page and "Rubric" not in page and "model answer" not in page and "<script>alert" not in page


@pytest.mark.parametrize("marks", [float("nan"), float("inf"), -1.0, 2.5])
def test_a_mark_outside_its_range_is_an_error_of_the_judge(marks):
    with pytest.raises(JudgeError):
        result("double", marks)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a < b and $x<y$, i<3", "a < b and $x< y$, i<3"),
        ("<img src=x onerror=f()>", "< img src=x onerror=f()>"),
        ("[x](javascript:f())", "[x](javascript :f())"),
        ("[x](JaVaScript&#58;:f())", "[x](JaVaScript :f())"),
        ("<!-- x --></td><?p", "< !-- x -->< /td>< ?p"),
    ],
)
def test_markdown_of_a_student_opens_no_tag_and_no_script(given, kept):
    assert harmless_markdown(given) == kept


def test_results_survive_being_written_as_json():
    one = judged().result
    assert SubmissionResult.from_json(json.loads(json.dumps(one.to_json()))) == one
