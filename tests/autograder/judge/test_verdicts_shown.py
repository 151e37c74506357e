"""What becomes of a mark on the student's page and in the copy for a person:
every turn at which it could be another.

The mutants of `tests/mutants` are these turns taken the other way.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from recorded import judged, result
from tiny_course import KEYS

from autograder.gradebook import feedback
from autograder.gradebook.feedback import autograded_notebook, submission_digest
from autograder.gradebook.feedback_page import feedback_page
from autograder.gradebook.sanitize import plain_text
from autograder.judge.results import Judged, Status, SubmissionResult
from autograder.judge.seeds import unlock_code
from autograder.submissions.merge import GraftedCell


def shown_section(marks, status, outcome, manual=(None, None), extra=False, source="my answer"):
    one = replace(result("double", marks, status, outcome=outcome), extra=extra)
    cells = (GraftedCell("solution", "code", source, "double"),)
    return feedback_page(Judged(SubmissionResult("ann", "tiny", status, (one,)), cells), {"double": manual})


@pytest.mark.parametrize(
    ("marks", "status", "outcome", "colour", "said"),
    [
        (2.0, Status.GRADED, "right", "right", "2 of 2 points"),
        (0.0, Status.GRADED, "not yet", "wrong", "0 of 2 points"),
        (0.0, Status.INCIDENT, "error", "wrong", "0 of 2 points"),
        (None, Status.PERSON, "written", "wait", "– of 2 points"),
        (None, Status.BROKEN, "infrastructure", "", "– of 2 points"),
        (0.0, Status.UNATTEMPTED, "unattempted", "", "0 of 2 points"),
    ],
)
def test_a_page_shows_each_outcome_as_what_it_is(marks, status, outcome, colour, said):
    text = shown_section(marks, status, outcome)
    assert f'class="dot {colour}"></span><b>{outcome}</b>: ' in text and f'class="facts">{said}<' in text
    assert ("<pre>my answer</pre>" in text) is (
        status is not Status.UNATTEMPTED
    ) and "<pre>" not in shown_section(marks, status, outcome, source="")


def test_a_students_text_is_cleaned_their_own_cells_stand_as_typed_and_ours_as_they_are(monkeypatch):
    monkeypatch.setattr(feedback, "find_key", KEYS.get)
    text = "*a* <b onclick=x>"
    texts = [
        GraftedCell(role, "markdown", text, "why" if role == "written" else None)
        for role in ("written", "extra", "frame")
    ]
    code = [GraftedCell(role, "code", "a = '<b>'", None) for role in ("written", "extra")]
    one = replace(result("why", None, Status.PERSON, outcome="written"), exercise="why")
    told = Judged(SubmissionResult("ann", "tiny", Status.PERSON, (one,)), (*texts, *code))
    *_, written, extra, ours, first, second = json.loads(autograded_notebook(told))["cells"]
    assert "<em>a</em>" in written["source"] and "onclick=" not in written["source"].replace(
        "&lt;b onclick=x&gt;", ""
    )
    assert extra["source"] == plain_text(text) and ours["source"] == text
    assert first["source"] == second["source"] == "a = '<b>'"


def test_a_persons_mark_goes_before_ours_even_where_it_is_nothing():
    assert 'class="facts">0 of 2 points<' in shown_section(2.0, Status.GRADED, "right", (0.0, None))
    assert 'class="facts">2 of 2 extra points<' in shown_section(2.0, Status.GRADED, "right", extra=True)


def test_the_autograded_copy_marks_each_cell_as_nbgrader_does(monkeypatch):
    monkeypatch.setattr(feedback, "find_key", KEYS.get)
    tree = json.loads(autograded_notebook(judged()))
    found = {
        cell["metadata"]["nbgrader"]["grade_id"]: cell
        for cell in tree["cells"]
        if cell["metadata"].get("nbgrader")
    }
    facts = {
        name: tuple(
            cell["metadata"]["nbgrader"].get(key) for key in ("grade", "solution", "locked", "points", "task")
        )
        for name, cell in found.items()
    }
    assert facts["check_double"] == (True, False, True, 2, False) and facts["double"] == (
        False,
        True,
        False,
        None,
        False,
    )
    assert facts["why"] == (True, True, False, 2, False) and facts["setup_1"] == (
        False,
        False,
        True,
        None,
        False,
    )
    outputs = {name: cell.get("outputs") for name, cell in found.items()}
    assert (
        outputs["check_total"][0]["text"].startswith("total: not yet")
        and outputs["double"] == []
        and outputs["why"] is None
    )
    assert [cell["cell_type"] for cell in tree["cells"] if not cell["metadata"]] == [
        "markdown",
        "code",
        "code",
    ]


@pytest.mark.parametrize(
    ("name", "outcome", "manual", "has_code"),
    [
        ("double", "right", None, True),
        ("double", "not yet", None, False),
        ("double", "not yet", 2.0, False),
        ("double", "unattempted", None, False),
        ("why", "written", None, False),
        ("why", "written", 0.0, False),
        ("why", "written", 1.0, True),
    ],
)
def test_the_code_of_a_model_answer_is_on_the_page_of_a_right_answer_and_of_a_written_one_with_points(
    name, outcome, manual, has_code
):
    told = Judged(SubmissionResult("ann", "tiny", Status.GRADED, (result(name, 2.0, outcome=outcome),)))
    manuals = {name: (manual, None)} if manual is not None else {}
    code = f"solution(&#34;{name}&#34;, code=&#34;{unlock_code(b'k' * 32, name)}&#34;)"
    text = feedback_page(told, manuals, key=b"k" * 32).replace('"', "&#34;")
    assert (code in text) is has_code and ("solution(" in text) is has_code
    assert "solution(" not in feedback_page(told, manuals)


def test_the_page_adds_up_marks_extra_marks_and_what_waits():
    each = (
        result("double", 2.0),
        result("total", 0.0, outcome="not yet"),
        replace(result("extra", 1.0), extra=True),
        replace(result("another", None, Status.PERSON, outcome="written"), extra=True, written=True),
        result("why", None, Status.PERSON, outcome="written"),
    )
    told = Judged(SubmissionResult("ann", "tiny", Status.GRADED, each))
    text = feedback_page(told, {"why": (1.5, None)}, penalty=0.5)
    assert (
        "4 of 6 points" in text
        and "1 of them for extra exercises" in text
        and "Submitted late: 0.5 points" in text
    )
    assert "1 answer still waits for a person." in text and "3 of 5 exercises are right or marked." in text
    assert "<p>Submitted late" not in feedback_page(told, {}) and "3 of 6 points" in feedback_page(told, {})
    assert "2 answers still wait for a person." in feedback_page(told, {})
    assert "0 of 6 points" in feedback_page(told, {}, penalty=9.0), "never less than nothing"


def test_a_model_answer_is_ours_and_may_hold_html(monkeypatch):
    monkeypatch.setattr("autograder.gradebook.feedback_page.model_answer", lambda exercise: "so <b>it is</b>")
    told = Judged(SubmissionResult("ann", "tiny", Status.GRADED, (result("double", 2.0),)))
    assert "so <b>it is</b>" in feedback_page(told, {}, solutions=True) and "it is" not in feedback_page(
        told, {}
    )


@pytest.mark.parametrize(
    ("text", "digest"),
    [
        ('{"metadata": {"kqa": {"sha256": "ab12"}}}', "ab12"),
        ('{"metadata": {"kqa": {"sha256": 12}}}', None),
        ('{"metadata": {"kqa": []}}', None),
        ("{", None),
    ],
)
def test_an_autograded_notebook_says_what_it_was_made_from_or_nothing(tmp_path, text, digest):
    path = tmp_path / "01.ipynb"
    assert submission_digest(path) is None
    path.write_text(text)
    assert submission_digest(path) == digest
