"""Pages show everything that a student or a grader writes as text:
no tag and no attribute of a page comes from it.
"""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reported_course import everything, said, submission

from autograder.gradebook import feedback
from autograder.gradebook.feedback_page import feedback_page
from autograder.judge.results import Judged, Status, SubmissionResult
from autograder.paths import ROOT
from autograder.report.answers import EXTRA_CELLS
from autograder.report.facts import NotebookFacts, exercise_facts
from autograder.report.report import index, notebook_page
from autograder.report.similarity import Answer, Comparison, Pair, SimilarPairs, similarity_page
from autograder.report.student_page import answers_page, student_page
from autograder.report.winnowing import code
from autograder.submissions.merge import GraftedCell
from kqa_core.check.cockpit_view import Cockpit
from kqa_core.check.display import ProgressTable, parts_of
from kqa_core.check.exercise import Exercise, Outcome, right
from kqa_core.check.progress_store import Record
from kqa_core.show.kit.page import page
from kqa_core.show.kit.templates import render

NAME = "01_attention_as_a_lookup"
ENDINGS = ["</script>", "</style>", "</title>", "</pre>", "-->", "]]>", '"', "'", "\ud800", "\\u003c"]
ENDINGS += ["{{ 7 * 7 }}", "{% raw %}", "{#"]
BEGINNINGS = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>"]
BEGINNINGS += [
    "<a href=javascript:alert(1)>",
    "<meta http-equiv=refresh content=0>",
    "&lt;b&gt;",
    "onclick=alert(1) x=",
]
BEGINNINGS += ["<!--", "<![CDATA["]
HOSTILE = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", *ENDINGS]),
    st.sampled_from(BEGINNINGS),
    st.text(alphabet="<>&\"'`{}%#\\/=;!-ab \x00\u2028\ud800", max_size=12),
)


class Structure(HTMLParser):
    """The tags of a page with the names of their attributes, and all that it shows: texts and attributes."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.shown = [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, [name for name, _ in attrs]))
        self.shown += [value or "" for _, value in attrs]

    def handle_endtag(self, tag):
        self.tags.append(tag)

    def handle_comment(self, data):
        self.tags.append("comment")

    def handle_data(self, data):
        self.shown.append(data)


def report_pages(text):
    """The instructor's pages and the students', with `text` wherever a student or a grader can write."""
    student, refused = f"{text}student", f"{text}refused"
    answers = [
        said("average_all", "not yet", f"{text}sentence", incident=f"{text}incident"),
        *everything()[1:],
    ]
    results = {
        student: submission(student, answers, notes=(f"{text}note",), sandbox="bubblewrap"),
        refused: SubmissionResult(refused, NAME, Status.REFUSED, reason=f"{text}file name.ipynb"),
    }
    manual = {student: {"why_select": (0.5, f"{text}comment")}}
    marks = {student: (1.0, 3.0, False), refused: (0.0, 3.0, False), f"{text}unverified": (2.0, 3.0, False)}
    facts = [NotebookFacts(NAME, results, marks, manual, exercise_facts(results.values(), manual))]
    sources = {NAME: {"average_all": f"{text}answer", EXTRA_CELLS: f"{text}extra"}}
    yield index(facts), ("student", "refused", "unverified")
    yield notebook_page(*facts), ("student", "sentence", "incident", "unverified")
    yield (
        answers_page(student, facts, sources),
        ("student", "sentence", "incident", "note", "comment", "answer", "extra"),
    )
    yield answers_page(refused, facts, {}), ("refused", "file name")
    yield student_page(student, facts), ("student", "sentence", "note", "comment")
    yield student_page(refused, facts), ("refused", "file name")


def other_pages(text):
    """The similarity page and the feedback page, with `text` wherever a student or a grader can write."""
    first, second = (
        Answer(f"{text}{who}", f"{text}answer\n{text}line", code("x"), frozenset(), ())
        for who in ("one", "two")
    )
    pair = Pair("average_all", first, second, 0.9, 40, 99.0, 0, (frozenset({0}), frozenset({1})))
    same = [((first.student, second.student), 3)]
    yield (
        similarity_page(SimilarPairs(NAME, 30, 0.8, 48.3, [pair], [Comparison("average_all", 2, 2)], same)),
        ("one", "two", "line"),
    )
    answers = [
        said("average_all", "not yet", f"{text}sentence"),
        said("why_select", "written", "a person reads it"),
    ]
    result = submission(f"{text}student", answers, notes=(f"{text}note",), reason=f"{text}file name.ipynb")
    cells = (GraftedCell("solution", "code", f"{text}answer", "average_all"),)
    yield (
        feedback_page(Judged(result, cells), {"why_select": (0.5, f"{text}comment")}, 0.5),
        ("student", "sentence", "note", "file name", "answer", "comment"),
    )


def notebook_pages(text):
    """The HTML in a notebook: the cockpit, the progress table,
    a widget's page and its frame on the reading site.
    """
    facts = {
        "title": f"{text}name",
        "difficulty": 1,
        "importance": 1,
        "minutes": 5,
        "source": "ours",
        "hints": ("a", "b", "c"),
    }
    exercise = Exercise("plain", 1, 2, check=lambda answer, rng: right(), notebook=f"{text}notebook", **facts)
    records = {exercise.id: Record(Outcome.NOT_YET, Outcome.NOT_YET, 1, at=1.0)}
    yield Cockpit([exercise], records, set()).to_html(), ("name",)
    table = ProgressTable(parts_of([exercise], records), {exercise.notebook})
    yield table._repr_mimebundle_()["text/html"], ("name",)
    yield page(f"{text}title", "", "", {"tokens": [text]}, f"{text}sentence", b"png"), ("title", "sentence")
    frame = {"file": "widget.html", "description": f"{text}description", "png": None}
    yield render("autograder", "site/templates/frame.html.j2", **frame), ("description",)


@pytest.fixture(scope="module", params=[report_pages, other_pages, notebook_pages])
def pages(request):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feedback, "find_key", lambda name: None)
        yield request.param


@pytest.mark.slow
@given(HOSTILE)
@settings(max_examples=40, deadline=None)
def test_every_page_shows_hostile_text_as_text(pages, text):
    for (made, fields), (plain, _) in zip(pages(text), pages("x"), strict=True):
        found = Structure(made)
        assert found.tags == Structure(plain).tags
        shown = "\0\0".join(found.shown)
        for field in fields:
            assert f"{text}{field}".encode("utf-8", "replace").decode() in shown, field


@given(HOSTILE)
@settings(max_examples=20, deadline=None)
def test_the_state_of_an_exported_widget_cannot_end_its_script(text):
    made = page("x", "", "", {"tokens": [text]}, "x", b"png")
    state = json.loads(re.search(r'id="state">(.*?)</script>', made, re.DOTALL)[1])
    assert state == {"tokens": [text]} and made.count("</script>") == 2


def test_the_test_would_see_a_field_that_is_not_escaped():
    made, _ = next(other_pages("<b>"))
    assert Structure(made.replace("&lt;b&gt;", "<b>", 1)).tags != Structure(made).tags


def test_escaping_is_switched_off_in_one_place():
    exceptions = {
        "kqa_core/show/kit/templates.py",  # `trusted`
        "kqa_core/pretrained/smollm2.py",  # a chat's prompt: text for a model, and no page
    }
    for folder in (ROOT / "kqa_core", ROOT / "autograder"):
        for path in (path for path in Path(folder).rglob("*") if path.suffix in (".py", ".j2")):
            text = path.read_text(encoding="utf-8")
            off = re.search(r"\|\s*safe\b|\bMarkup\(|autoescape\s*(?:=\s*)?[fF]alse|Environment\(", text)
            assert off is None or str(path.relative_to(ROOT)) in exceptions, f"{path}: {off[0]}"
