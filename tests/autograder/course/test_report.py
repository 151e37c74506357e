"""`kqa course report`: what stands in the index and on a student's page, and what must not."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reported_course import Reader, everything, give, graded_course, said, submission
from small_course import NAME

from autograder.gradebook.gradebook import open_gradebook
from autograder.grading.ledger import Ledger, ledger_path
from autograder.judge.results import Judged, Status, SubmissionResult
from autograder.paths import COURSE
from autograder.report.answers import EXTRA_CELLS, class_answers
from autograder.report.facts import NotebookFacts, exercise_facts, gather
from autograder.report.html import TEMPLATES, page_name
from autograder.report.report import index, notebook_page, report
from autograder.report.student_page import answers_page, student_page
from autograder.submissions.merge import GraftedCell
from kqa_core.errors import UserError
from kqa_core.stats import wilson

pytestmark = [
    # nbgrader's own way of adding a submission
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.xdist_group("report"),  # of one course
]
SCRIPT = "<script>alert('x')</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    results = [
        submission("ann", everything(), received=1.7e9, version=2, late=7300.0, sandbox="bubblewrap"),
        submission(
            "ben",
            everything("not yet", sentence="Sum, then divide.", mistake="sum_of_rows"),
            sandbox="limits only",
        ),
        submission(
            "Cy O'Neil",
            [said("average_all", "not yet", f"{SCRIPT} at 3"), *everything()[1:]],
            notes=(SCRIPT,),
        ),
        SubmissionResult("dee", NAME, Status.REFUSED, reason="no notebook of at most 5 MB"),
        SubmissionResult("eli", NAME, Status.MISSING, reason="no notebook was submitted"),
        SubmissionResult("flo", NAME, Status.BROKEN, reason="no room left in /var/scratch"),
    ]
    answers = {"Cy O'Neil": {"average_all": f"x = {SCRIPT!r}", "why_select": f"if 2 < 3 {SCRIPT}\nthen"}}
    made = graded_course(
        tmp_path_factory.mktemp("made") / "notebooks",
        results,
        answers,
        own={"ann": "def helper():\n    return 7"},
    )
    give(made, "ann", "why_select", 0.5, f"Good.\nSee page 3. {SCRIPT}")
    with open_gradebook(made) as book:  # what `nbgrader autograde` leaves: a mark, and nothing of the judge's
        book.update_or_create_assignment("02_plain")
        book.update_or_create_notebook("02_plain", "02_plain")
        book.update_or_create_grade_cell("q", "02_plain", "02_plain", max_score=4.0, cell_type="code")
        book.update_or_create_student("gus")
        book.update_or_create_submission("02_plain", "gus")
        book.find_grade("q", "02_plain", "02_plain", "gus").auto_score = 3.0
        book.db.commit()
    return made


@pytest.fixture(scope="module")
def written(course, tmp_path_factory):
    return report(tmp_path_factory.mktemp("out"), course)


def index_of(written):
    return Reader(written.read_text())


def notebook(written, name=NAME):
    return Reader((written.parent / "notebooks" / f"{name}.html").read_text())


def answers(written, name):
    return Reader((written.parent / "answers" / f"{page_name(name)}.html").read_text())


def student(written, name):
    return Reader((written.parent / "students" / f"{page_name(name)}.html").read_text())


@pytest.mark.slow
def test_a_notebooks_page_says_for_each_exercise_how_many_were_right_and_how_sure_that_is(written):
    low, high = wilson(1, 3)  # ann of ann, ben and Cy
    assert f"1 of 3, 33% ({low:.0%} to {high:.0%})" in notebook(written).text
    assert "too few: 32 needed (n = 3)" in notebook(written).text


def test_every_mark_that_was_given_is_told_a_persons_before_the_judges(written):
    text = notebook(written).text
    assert "0: 2, 1: 1; 2 not yet" in text  # average_all: ann right, ben and Cy not yet
    assert "0.5: 1" in text  # why_select: ann's, which a person gave; the others' wait


def test_a_mark_changed_by_hand_counts_and_our_own_faults_do_not():
    broken = said("average_all", "error", marks=None, status=Status.BROKEN)
    results = [submission("a", everything()), submission("b", everything("error")), submission("c", [broken])]
    [facts, *_] = exercise_facts(results, {"b": {"average_all": (1.0, None)}})
    assert facts.marks == ((1.0, 2),) and facts.outcomes == {"error": 1, "right": 1}


def test_a_mistake_leads_to_the_very_answer(written):
    assert "../answers/ben.html#answer-average_all" in notebook(written).links


def test_discrimination_is_said_with_its_formula(written):
    assert (
        "item-rest correlation: Pearson's r between having the exercise right (1) or not (0;"
        in notebook(written).text
    )


def test_a_mistake_is_named_with_its_sentence_and_who_made_it(written):
    assert "1 × sum of rows: Sum, then divide. ben" in notebook(written).text


def test_marks_are_the_gradebooks_a_persons_with_them(written):
    assert "2.5 of 3 points" in student(written, "ann").text
    # 2.5 (ann), 1 and 1 with an answer that waits; refused is no mark: median 1, mean 4.5 / 3 = 1.5
    assert "3 marks: median 1, mean 1.5, of 3 points" in notebook(written).text
    assert "2 wait for a person; 3 have no mark" in notebook(written).text


def test_the_sandbox_of_every_judged_submission_is_told(written):
    assert "bubblewrap (1), limits only (1), not recorded (1)" in notebook(written).text


def test_marks_of_plain_nbgrader_are_called_unverified(written):
    assert (
        "unverified 1 of these marks were given by plain nbgrader autograde"
        in notebook(written, "02_plain").text
    )
    assert (
        "02_plain: 3 of 4 points" in answers(written, "gus").text
        and "not decided by the course's judge" in student(written, "gus").text
    )


def test_a_mark_of_somebody_who_handed_nothing_in_is_unverified_too():
    missing = SubmissionResult("eli", NAME, Status.MISSING)
    facts = NotebookFacts(NAME, {"eli": missing}, {"eli": (3.0, 3.0, False), "ann": (1.0, 3.0, False)}, {})
    assert facts.unverified == ["ann", "eli"] and facts.students == {"ann", "eli"}


def test_answers_are_the_sources_in_the_ledger_by_exercise_and_their_own_code_cells(tmp_path):
    cells = [("setup", "code", "import torch", "setup_1"), ("demonstration", "code", "plot()", None)]
    cells += [
        ("solution", "code", "x = 1", "double"),
        ("written", "markdown", "For 1 < 2.", "why"),
        ("check", "code", "c()", "check_double"),
    ]
    cells += [
        ("extra", "code", "mine = 1", None),
        ("extra", "markdown", "Why.", None),
        ("extra", "code", " ", None),
    ]
    with Ledger(ledger_path(tmp_path)) as ledger:
        judged = Judged(
            SubmissionResult("ann", "n", Status.GRADED), tuple(GraftedCell(*cell) for cell in cells)
        )
        ledger.publish("n", [(None, judged), (None, Judged(SubmissionResult("bo", "n", Status.MISSING)))])
    found = {"double": "x = 1", "why": "For 1 < 2.", EXTRA_CELLS: "mine = 1"}
    assert class_answers(tmp_path, "n") == {"ann": found} and class_answers(tmp_path, "m") == {}


def test_the_way_down_leads_from_a_student_to_the_answer(written):
    ann, ben = answers(written, "ann").text, answers(written, "ben").text
    assert (
        "return K.mean(dim=0)" in ann and "extra cells def helper(): return 7" in ann and "helper" not in ben
    )
    assert "known mistake: sum of rows" in ben and "known mistake" not in ann
    assert "if 2 < 3" in answers(written, "Cy O'Neil").text  # a written answer is shown as it was typed


def test_the_index_has_one_row_a_student_with_every_mark(written):
    text = written.read_text()
    rows = dict(re.findall(r'<tr><td><a href="answers/([^"]+)\.html">.*?</a></td>(.*?)</tr>', text))
    assert list(rows) == [page_name("Cy O'Neil"), "ann", "ben", "dee", "eli", "flo", "gus"]
    cells = {name: re.findall("<td>(.*?)</td>", row) for name, row in rows.items()}
    assert (
        cells["ann"] == ["2.5", "2.5", "–"]
        and cells["ben"] == ["1", "1+", "–"]
        and cells["gus"] == ["3", "–", "3+!"]
    )
    assert cells["dee"] == ["–", "–", "–"] and cells["eli"] == ["–", "–", "–"]


def test_nothing_that_a_student_or_a_grader_wrote_acts(written):
    pages = sorted(written.parent.rglob("*.html"))
    assert len(pages) == 1 + 2 + 7 + 7
    for path in pages:
        found = Reader(path.read_text())
        assert "img" not in found.tags and found.tags.count("script") == (path == written)
        assert all(
            re.fullmatch(r"((\.\./)?\w+/)?[\w~-]+\.html(#[\w-]+)?|\.\./index\.html", link)
            for link in found.links
        )
        assert "default-src 'none'" in path.read_text() and SCRIPT not in path.read_text()
    assert SCRIPT in answers(written, "Cy O'Neil").text and SCRIPT in student(written, "Cy O'Neil").text


def test_the_only_script_is_ours_and_the_policy_names_its_digest(written):
    [script] = re.findall(r"<script>(.*?)</script>", written.read_text(), re.DOTALL)
    assert script == (TEMPLATES / "class.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"; script-src 'sha256-{digest}'\">" in written.read_text()


def test_every_link_of_every_page_leads_somewhere(written):
    for path in written.parent.rglob("*.html"):
        for link in Reader(path.read_text()).links:
            file, _, place = link.partition("#")
            target = (path.parent / file).resolve()
            assert target.is_file() and (not place or f'id="{place}"' in target.read_text())


def test_a_students_page_tells_what_is_theirs_and_nothing_else(written):
    page_of_ben = student(written, "ben")
    assert "Sum, then divide." in page_of_ben.text and "0 of 1" in page_of_ben.text
    assert "sum of rows" not in page_of_ben.text and page_of_ben.links == []
    assert not any(name in page_of_ben.text for name in ("ann", "O'Neil", "dee", "bubblewrap", "limits only"))


def test_a_students_page_holds_the_graders_mark_comment_and_the_receipt(written):
    text = student(written, "ann").text
    assert "0.5 of 1 marked" in text and "Your grader: Good. See page 3." in text
    assert "Received 14 November 2023, 22:13 UTC, version 2, 2 hours late." in text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dee", "Your submission was refused: no notebook of at most 5 MB."),
        ("eli", "No notebook was submitted."),
        ("flo", "It costs you nothing"),
    ],
)
def test_who_was_not_graded_reads_why(written, name, words):
    assert words in student(written, name).text


def test_the_cause_of_our_own_fault_is_for_the_instructor_alone(written):
    assert (
        "/var/scratch" in answers(written, "flo").text and "/var/scratch" not in student(written, "flo").text
    )


def test_nor_is_the_cause_of_one_exercise_that_we_could_not_judge():
    broken = said("average_all", "error", "KeyError in checks.py", marks=None, status=Status.BROKEN)
    facts = NotebookFacts(NAME, {"ann": submission("ann", [broken])}, {}, {})
    text = Reader(student_page("ann", [facts])).text
    assert (
        "checks.py" not in text and "average_all – of 1 not judged Something went wrong on our side." in text
    )
    assert "checks.py" in answers_page("ann", [facts], {})


def test_incidents_are_listed_with_who_had_them():
    stopped = said("average_all", "error", "too long", incident="time", status=Status.INCIDENT)
    assert exercise_facts([submission("a", [stopped])], {})[0].incidents == {"time": ("a",)}


@pytest.mark.slow
@given(st.lists(st.text(min_size=1), unique=True, min_size=2))
def test_no_two_students_share_a_page_on_any_file_system(names):
    files = [page_name(name) for name in names]
    assert len({name.casefold() for name in files}) == len(files)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9_~-]{0,79}", name) for name in files)


@pytest.mark.parametrize(
    "names",
    [("Ann", "ann"), ("a/b", "a-b"), ("con", "Con"), ("é", "e"), ("..", "student"), ("x" * 300, "x" * 299)],
)
def test_names_that_look_alike_have_pages_of_their_own(names):
    first, second = (page_name(name) for name in names)
    assert (
        first.casefold() != second.casefold()
        and page_name("con") != "con"
        and max(len(first), len(second)) < 80
    )


def test_a_page_can_be_written_whatever_stands_in_it():
    facts = NotebookFacts(
        "half a \ud800 pair", {"\ud800": submission("\ud800", everything(), notes=("\ud800",))}, {}, {}
    )
    made = (
        index([facts]),
        notebook_page(facts),
        answers_page("\ud800", [facts], {}),
        student_page("\ud800", [facts]),
    )
    assert all(each.encode("utf-8") for each in made)


def test_a_written_answers_page_shows_what_waits(course):
    text = Reader(student_page("ben", gather(course))).text
    assert "why_select – of 1 waits for a person" in text and "an answer still waits for a person" in text


def test_a_report_on_nothing_is_one_line(tmp_path):
    with pytest.raises(UserError, match="kqa course grade"):
        report(tmp_path / "out", tmp_path)
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_way_of_the_report_is_one_line(course, tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UserError, match=r"file: cannot be written \(Not a directory\)"):
        report(tmp_path / "file", course)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_database_that_is_none_is_one_line(course, tmp_path):
    with pytest.raises(UserError, match="gradebook"):
        report(tmp_path, course, db="nonsense")


@pytest.mark.parametrize(
    "command", [["similar", "99"], ["similar", "01", "--at", "1.5"], ["similar", "01", "--at", "nan"]]
)
def test_a_users_mistake_ends_in_one_line_and_status_2(command, kqa_in_process):
    status, printed = kqa_in_process("course", *command)
    *course, mistake = printed.err.splitlines()  # a command that writes names its course first
    assert status == 2 and mistake.startswith("kqa: ") and printed.out == ""
    assert course in ([], [f"course {COURSE}"])
