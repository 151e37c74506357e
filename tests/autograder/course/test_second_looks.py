"""What students say in their notebooks: that they want a second look at a mark, with the code of a feedback
page; and with whom they submit together.
"""

from __future__ import annotations

import json
import re
import shutil

import pytest
from another_course import working_on
from exchange_course import NAME
from sorting_students import EXERCISE, config_of, write_students

from autograder.course.grade import grade
from autograder.course.receiving import receive_class
from autograder.gradebook.due_dates import set_due
from autograder.gradebook.gradebook import gradebook_marks, open_gradebook
from autograder.grading.config import JudgeConfig
from autograder.people.forming_groups import form_groups, place_groups
from autograder.people.groups import Group, groups_of, import_groups, read_groups
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.cells import second_looks_in

pytestmark = pytest.mark.usefixtures("unconfined")
CODE = "abcd-efgh-2345"
LINE = re.compile(r"<pre># regrade (\w+) (\S+)</pre>")
CAME = 1e9


def test_a_line_is_found_however_it_is_quoted_and_what_is_below_it_is_the_reason():
    text = f"Dear all,\n# regrade f {CODE}\nIt is right.\n\n> `regrade g {CODE.upper()}`\nBecause\nof this."
    assert second_looks_in(text) == [("f", CODE, "It is right."), ("g", CODE, "Because\nof this.")]
    assert second_looks_in("please regrade f soon\nregrade my answer, please") == []


class Asking:
    """A graded course: s001 is wrong, s002 too, and s000 right."""

    def __init__(self, root):
        self.course, self.folder = root / "notebooks", root / "submitted"

    def grade(self, at=CAME):
        assert grade(config_of(self.course, self.folder, received_at=at)).differences == []

    def page(self, student):
        return (self.course / "feedback" / student / NAME / f"{NAME}.html").read_text()

    def line(self, student):
        ((exercise, code),) = LINE.findall(self.page(student))
        return f"# regrade {exercise} {code}"

    def submit(self, student, cell, kind="code", at=CAME + 100, answer=None, **metadata):
        """The student's notebook again, with one more cell; what is said when it is received."""
        path = self.folder / student / NAME / f"{NAME}.ipynb"
        notebook = json.loads(path.read_text())
        for each in notebook["cells"]:
            if answer and each["metadata"].get("nbgrader", {}).get("grade_id") == EXERCISE:
                each["source"] = answer
        more = {"outputs": [], "execution_count": None} if kind == "code" else {}
        number = len(notebook["cells"])
        notebook["cells"].append(
            {"cell_type": kind, "id": f"new-{number}", "metadata": metadata, "source": cell, **more}
        )
        path.write_text(json.dumps(notebook))
        return receive_class(self.course, [NAME], Limits(), folder=self.folder, at=at).lines

    def give(self, student, mark, comment):
        with open_gradebook(self.course) as book:
            grade_row = book.find_grade(f"check_{EXERCISE}", NAME, NAME, student)
            grade_row.manual_score, grade_row.needs_manual_grade = mark, False
            book.find_comment(EXERCISE, NAME, NAME, student).manual_comment = comment
            book.db.commit()


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    root = tmp_path_factory.mktemp("graded") / "class"
    write_students(root, 3)
    with working_on(root / "notebooks"):
        Asking(root).grade()
    return root


@pytest.fixture
def asking(graded, tmp_path):
    made = Asking(shutil.copytree(graded, tmp_path / "class"))
    with working_on(made.course):
        yield made


@pytest.fixture
def requests(asking, kqa_in_process):
    def run(*words):
        status, printed = kqa_in_process(
            "course", "regrade-requests", "--course", asking.course, "--workers", 1, *words
        )
        return status, printed.out, printed.err

    return run


@pytest.mark.slow
def test_a_request_is_listed_with_answer_mark_and_reason_until_it_is_decided(asking, requests):
    assert LINE.search(asking.page("s000")) is None, "nothing to ask about a full mark"
    line, before = asking.line("s001"), gradebook_marks(asking.course, NAME)
    lines = asking.submit("s001", f"{line}\nIt is \x1b[31msorted.\nLook!")
    assert lines == [f"s001, {NAME}: version 2, asks for a second look at a mark"]
    status, said, wrong = requests()
    assert (status, wrong) == (0, "") and said.endswith("1 open; 0 decided\n")
    assert f"s001: {EXERCISE} in {NAME}\n  asked in version 2" in said and "about version 1" in said
    assert "mark: 0 of 2; the checks say not yet: " in said
    assert (
        "  wrote:\n    It is �[31msorted.\n    Look!\n  answer:\n    def at_the_end(numbers, x):\n        "
        in said
    )
    assert "since then: nothing has changed" in said
    asking.grade()
    assert gradebook_marks(asking.course, NAME) == before, (
        "the cell with the request is no part of the answers"
    )
    asking.give("s001", None, "Your list is not sorted.")
    assert requests()[1] == "0 open; 1 decided, which --all shows\n"
    assert "the mark or its comment has changed" in requests("--all")[1]
    assert "comment: Your list is not sorted." in requests("--all", "--student", "s001")[1]
    asking.grade()
    assert asking.line("s001") != line, "the student may ask again, about what was decided"
    asking.submit("s001", f"{asking.line('s001')}\nStill.", "markdown", at=CAME + 200)
    assert "\n    Still.\n" in requests()[1] and requests()[1].endswith(
        "1 open; 1 decided, which --all shows\n"
    )


@pytest.mark.slow
def test_an_answer_that_was_changed_since_is_shown_as_a_difference(asking, requests):
    line = asking.line("s001")
    asking.submit("s001", line, answer=f"def {EXERCISE}(numbers, x):\n    return sorted([*numbers, x])")
    asking.grade()
    said = requests("--all")[1]
    assert "the mark or its comment has changed; the answer that counts has changed:\n" in said
    assert "    +    return sorted([*numbers, x])\n" in said and "  wrote:\n    no reason\n" in said


@pytest.mark.slow
def test_a_mark_of_a_person_waits_for_another_look_only_if_the_answer_was_changed(asking):
    for student in ("s001", "s002"):
        asking.give(student, 1.0, "half")
    asking.submit("s001", f"{asking.line('s001')}\nPlease.")
    asking.submit(
        "s002", "# a comment", answer=f"def {EXERCISE}(numbers, x):\n    return numbers", at=CAME + 150
    )
    asking.grade(at=CAME + 160)
    waits = {student: mark[2] for student, mark in gradebook_marks(asking.course, NAME).items()}
    assert waits == {"s000": False, "s001": False, "s002": True}


@pytest.mark.slow
def test_nobody_asks_about_anothers_answer_and_a_wrong_code_changes_nothing(asking, requests):
    theirs = asking.line("s002")
    asking.submit("s001", f"{theirs}\nMine, please.")
    asking.submit("s001", f"# regrade {EXERCISE} {CODE}\n# regrade {EXERCISE} \u017f-\u212a", at=CAME + 150)
    assert requests() == (
        1,
        "0 open; 0 decided\n",
        f"NO REQUEST s001, {NAME}: {EXERCISE} {theirs.split()[-1]}, {EXERCISE} {CODE}, {EXERCISE} \u017f-k:"
        " is no code of an answer of s001's; it was changed, or copied from another page\n",
    )


@pytest.mark.slow
def test_a_copied_answer_cell_that_asks_is_no_answer_and_a_helper_stays_one(asking):
    marks = gradebook_marks(asking.course, NAME)
    copied = {"grade_id": EXERCISE, "solution": True, "grade": False, "locked": False, "schema_version": 3}
    asking.submit("s000", f"# regrade {EXERCISE} {CODE}", nbgrader=copied)
    helper = f"# regrade {EXERCISE} {CODE}\ndef joined(numbers, x):\n    return sorted([*numbers, x])"
    uses = f"def {EXERCISE}(numbers, x):\n    return joined(numbers, x)"
    asking.submit("s002", helper, answer=uses)
    asking.grade()
    assert gradebook_marks(asking.course, NAME) == {**marks, "s002": marks["s000"]}


@pytest.mark.slow
def test_who_was_late_asks_in_a_message(asking, requests, tmp_path):
    set_due(asking.course, NAME, CAME - 100)
    asking.grade()
    assert "it would count as later than it is" in asking.page("s001")
    message = tmp_path / "mail.txt"
    message.write_text(f"Dear Anna,\n{asking.line('s001')}\nI sorted it.\n")
    status, said, _ = requests("--student", "s001", "--message", message)
    assert status == 0 and "asked in a message about version 1\n" in said and "    I sorted it.\n" in said
    assert requests("--student", "s000", "--message", message)[::2] == (
        1,
        f"NO REQUEST s000, a message: {asking.line('s001')[10:]}: is no code of an answer of s000's; it was"
        " changed, or copied from another page\n",
    )
    message.write_text("Dear Anna, my mark is wrong.")
    status, _, wrong = requests("--student", "s001", "--message", message)
    assert status == 2 and "has no line such as `# regrade NAME CODE`" in wrong


@pytest.mark.slow
def test_students_form_a_group_if_every_member_has_named_the_same_in_time(asking, kqa_in_process):
    def formed(*words):
        status, printed = kqa_in_process(
            *("course", "groups", "--from-students", "--course", asking.course, "--workers", 1, *words)
        )
        return status, printed.out.splitlines(), printed.err.splitlines()[1:]

    assert "course.toml lets students form none" in formed()[2][0]
    assert 'write student_groups = ["01:2"] into' in formed("-n", "01")[2][0]
    (asking.course / "course.toml").write_text('student_groups = ["01:2"]\n')
    assert asking.submit("s000", "# We submit together: s001") == [f"s000, {NAME}: version 2"]
    asking.submit("s001", "we submit together: s000, s001.", "markdown")
    asking.submit("s002", "# we submit together: s000, nobody")
    last = f"{NAME}: 1 groups of students; the next `kqa course grade` uses them"
    unknown = (
        f"NO GROUP s002, {NAME}: names 'nobody', who is unknown in this course; choose from s000, s001, s002"
    )
    assert formed() == (1, [f"{NAME}: s000, s001", last], [unknown])
    asking.grade(at=CAME + 110)
    marks = gradebook_marks(asking.course, NAME)
    assert marks["s000"] == marks["s001"], "one notebook counts for both"
    # one who takes it back, or says it after the due date
    asking.submit("s001", "# we submit together: s001", at=CAME + 200)
    asking.submit("s002", "# we submit together: s001", at=CAME + 200)
    status, out, err = formed()
    assert (status, out) == (1, [last.replace("1 groups", "0 groups")]) and err == [
        f"NO GROUP s000, {NAME}: names s001, but s001 names nobody",
        f"NO GROUP s002, {NAME}: names s001, but s001 names nobody",
    ]
    set_due(asking.course, NAME, CAME + 150)
    assert formed()[1][0] == f"{NAME}: s000, s001", "before the due date both had agreed"


def test_groups_of_students_leave_the_instructors_as_they_are(tmp_path):
    (tmp_path / "pairs.csv").write_text("group,student\nred,ann\nred,bo\n")
    import_groups(tmp_path / "pairs.csv", tmp_path, ())
    known = ["ann", "bo", "cy", "dee", "eve"]

    def placed(**stated):
        sets = {who: frozenset(names.split()) for who, names in stated.items()}
        groups, refused = place_groups(tmp_path, NAME, sets, known, 3)
        assert read_groups(tmp_path)[""] == [Group("red", ("ann", "bo"))]
        return [group.members for group in groups], refused, groups_of(tmp_path, NAME)

    groups, refused, now = placed(cy="dee eve", dee="cy eve", eve="dee cy", ann="cy")
    assert groups == [("cy", "dee", "eve")] and now["ann"].name == "red" and now["cy"].name == "cy+dee+eve"
    assert refused == [f"ann, {NAME}: names cy, but ann is in your group 'red'"]
    groups, refused, now = placed(cy="dee", dee="cy eve", eve="", ann="")
    assert (
        groups == []
        and set(now) == {"ann", "bo"}
        and refused
        == [
            f"cy, {NAME}: names dee, but dee names cy, eve",
            f"dee, {NAME}: names cy, eve, but cy names dee",
        ]
    )
    assert placed(cy="ann bo dee")[1] == [f"cy, {NAME}: names ann, bo, dee; a group has at most 3 members"]


@pytest.mark.slow
def test_a_group_whose_version_that_counts_is_empty_is_told(asking):
    (asking.course / "course.toml").write_text('student_groups = ["01:2"]\n')
    asking.submit("s000", "# we submit together: s001")
    asking.submit("s001", "# we submit together: s000", at=CAME + 200, answer=" ")
    (line,) = form_groups(asking.course, NAME, JudgeConfig(course=asking.course, workers=1)).look
    assert line.startswith(f"group s000+s001, {NAME}: version 2 of s001 counts, in which nothing is answered")
