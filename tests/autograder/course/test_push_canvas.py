"""Marks sent to a Canvas course: what differs, to whom, and nothing else;
over real sockets, with the real canvasapi.
"""

from __future__ import annotations

import os
import re
import threading
from dataclasses import replace

import pytest
from canvas_server import TOKEN, Canvas, serving, user
from test_export import FIRST, SECOND, fill

from autograder.export import canvas_course
from autograder.export.canvas_course import CanvasCourse, CanvasUser, course_address, read_token
from autograder.export.marks import collect
from autograder.export.push_canvas import match
from autograder.people.roster import Person
from kqa_core.errors import UserError

pytestmark = [
    # nbgrader's own way of adding a submission
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.xdist_group("push"),  # from one gradebook
]
# bo's waits for a person; cy and dee have none
MARKS = {"ann": 2.5, "bo": 0.0, "eli": 1.0, "fay": 0.0, "gil": 4.0}
CLASS = [
    user(101 + place, name) for place, name in enumerate(("ann", "bo", "cy", "dee", "eli", "fay", "gil"))
]
NUMBER = {each["login_id"]: each["id"] for each in CLASS}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return fill(tmp_path_factory.mktemp("course"), ("eli", "fay", "gil"), MARKS)


@pytest.fixture
def canvas():
    return Canvas(CLASS)


@pytest.fixture
def push(canvas, course, monkeypatch, kqa_in_process):
    """`kqa course push canvas` on the course, with the token in the environment; status, output, messages."""
    monkeypatch.setattr("autograder.paths._chosen", course)
    monkeypatch.setenv("KQA_CANVAS_TOKEN", TOKEN)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving(canvas) as address:

        def run(*words, at=address):
            status, said = kqa_in_process("course", "push", "canvas", *words, "--address", at)
            assert TOKEN not in said.out + said.err
            return status, said.out, said.err

        yield run


def sent(canvas):
    return [path for method, path in canvas.asked if method == "POST"]


@pytest.mark.slow
def test_without_yes_it_shows_what_would_change_and_sends_nothing(push, canvas, course):
    number = canvas.add_assignment("01 Attention as a Lookup", 4)
    canvas.submissions[number][NUMBER["ann"]].update(score=1.0, entered_score=1.0)
    status, out, err = push("01")
    assert (status, err, sent(canvas)) == (0, f"course {course}\n", [])
    rows = [line.replace("│", " ").split() for line in out.splitlines() if line.startswith("│")]
    assert rows == [[FIRST, who, who, before, after] for who, before, after in _changes()]
    assert (
        f"{FIRST} (4 points): 4 to send, 1 wait for a person\n" in out
        and "nothing was sent; --yes sends these 4 marks" in out
    )


def _changes():
    return [("ann", "1", "2.5"), ("eli", "-", "1"), ("fay", "-", "0"), ("gil", "-", "4")]


@pytest.mark.slow
def test_it_sends_what_differs_and_the_second_time_nothing(push, canvas):
    number = canvas.add_assignment(FIRST, 4)
    there = canvas.submissions[number]
    there[NUMBER["gil"]].update(score=3.5, entered_score=4.0)  # Canvas has deducted something of its own
    there[NUMBER["cy"]].update(score=3.0, entered_score=3.0)  # a mark that only Canvas has
    there[NUMBER["eli"]].update(excused=True)
    status, out, err = push("01", "--yes")
    assert status == 0 and "sent 2 marks" in out, err
    assert "2 to send, 1 on Canvas already, 1 wait for a person, 1 excused on Canvas" in out
    assert canvas.scores(number) == {101: 2.5, 102: None, 103: 3.0, 104: None, 105: None, 106: 0.0, 107: 4.0}
    assert there[NUMBER["eli"]]["excused"] and err.count(FIRST) >= 1  # the progress of Canvas's job
    canvas.asked.clear()
    status, out, _ = push("01", "--yes")
    assert (status, sent(canvas)) == (0, []) and "0 to send, 3 on Canvas already" in out


@pytest.mark.slow
def test_an_assignment_is_made_with_the_one_maximum_if_that_is_asked_for(push, canvas):
    status, out, err = push("--yes")
    assert status == 1 and sent(canvas) == []
    assert [
        f"NOT RECONCILED {name}: Canvas has no assignment of this name; --create makes one"
        for name in (FIRST, SECOND)
    ] == err.splitlines()[1:]  # after the line that names the course
    assert "a new assignment): 4 to send" in push("01", "--create")[1] and canvas.assignments == {}
    status, out, _ = push("--yes", "--create")
    assert status == 0 and "sent 5 marks" in out
    made = {
        each["name"]: (each["points_possible"], each["published"]) for each in canvas.assignments.values()
    }
    assert made == {FIRST: (4, True), SECOND: (10, True)}
    # 8, and 3 for lateness
    assert canvas.scores(9001) == {101: 5.0} | {each["id"]: None for each in CLASS[1:]}
    push("--yes", "--create")
    assert len(canvas.assignments) == 2


def test_what_has_no_mark_counts_nothing_only_if_that_is_asked_for(push, canvas):
    number = canvas.add_assignment(FIRST, 4)
    push("01", "--yes", "--zeros")
    assert canvas.scores(number) == {101: 2.5, 102: None, 103: None, 104: 0.0, 105: 1.0, 106: 0.0, 107: 4.0}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"points": 100}, f"{FIRST}: worth 100 points on Canvas, 4 in the gradebook"),
        ({"points": None}, f"{FIRST}: worth no points on Canvas, 4 in the gradebook"),
        ({"grading_type": "pass_fail"}, f"{FIRST}: is graded on Canvas as pass_fail"),
        ({"published": False}, f"{FIRST}: is not published"),
        ({"students": [101, 102, 105, 106]}, f"gil: has a mark, but {FIRST} is not assigned to them"),
    ],
)
def test_an_assignment_that_does_not_fit_is_named(push, canvas, facts, said):
    canvas.add_assignment(FIRST, **{"points": 4, **facts})
    status, _, err = push("01", "--yes")
    assert status == 1 and err.count("NOT RECONCILED") == 1 and said in err
    assert len(sent(canvas)) == ("students" in facts)


def test_a_name_that_a_student_chose_is_shown_and_not_obeyed(push, canvas):
    canvas.add_assignment(FIRST, 4)
    canvas.users = [user(101, "ann", name="[red]A[/]\x1b[31m"), *CLASS[1:]]
    assert "[red]A[/]�[31m" in push("01")[1]


def test_two_assignments_of_one_name_and_a_student_who_is_not_there_are_named(push, canvas):
    canvas.add_assignment(FIRST, 4)
    canvas.add_assignment("Homework: 01 attention as a lookup", 4)
    canvas.add_assignment(SECOND, 10)
    canvas.users = CLASS[1:]
    status, _, err = push("--yes")
    assert status == 1 and f"{FIRST}: Canvas has 2 assignments of this name" in err
    assert "ann: has marks, but nobody of the course on Canvas has this login id" in err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "refusal", "said"),
    [
        (
            "GET .*/courses/7$",
            (401, {"WWW-Authenticate": "x"}, {"errors": ["Invalid"]}),
            "does not accept the token",
        ),
        ("search_users", (401, {}, {"errors": ["no"]}), "the token's owner may not list the students"),
        ("update_grades", (403, {}, {"errors": ["no"]}), f"owner may not set the marks of {FIRST}"),
        (
            "update_grades",
            (403, {}, "403 Forbidden (Rate Limit Exceeded)"),
            "limits how much one token may ask; wait a minute",
        ),
        ("progress", (429, {"X-Rate-Limit-Remaining": "0"}, ""), "how much one token may ask; wait a minute"),
        ("GET .*/courses/7$", (404, {}, {}), "cannot find the course 7: it is not there, or hidden"),
        ("update_grades", (422, {}, {"message": "period is closed"}), "did not set the marks of"),
        (
            "search_users",
            (500, {}, "<html>"),
            "did not list the students (Encountered an error: status code 500)",
        ),
        ("GET .*/courses/7$", (200, {}, "<html>"), "the answer is not Canvas's"),
        ("GET .*/courses/7$", (200, {}, [1]), "the answer is not Canvas's"),
        ("search_users", (200, {}, {"users": []}), "the answer is not Canvas's"),
        ("submissions$", threading.Event(), "gave no answer within"),
    ],
)
def test_what_canvas_refuses_is_one_line_and_the_same_command_ends_the_work(
    push, canvas, monkeypatch, path, refusal, said
):
    monkeypatch.setattr(
        canvas_course, "TIMEOUT", (5, 0.3) if isinstance(refusal, threading.Event) else (5, 60)
    )
    number = canvas.add_assignment(FIRST, 4)
    canvas.refusals[path] = refusal
    status, _, err = push("01", "--yes")
    (line,) = [line for line in err.splitlines() if line.startswith("kqa: ")]
    assert status == 2 and said in line and err.endswith(f"{line}\n")
    if isinstance(refusal, threading.Event):
        refusal.set()
    canvas.refusals.clear()
    assert push("01", "--yes")[0] == 0
    assert canvas.scores(number) == {101: 2.5, 102: None, 103: None, 104: None, 105: 1.0, 106: 0.0, 107: 4.0}


@pytest.mark.slow
def test_a_job_of_canvas_that_fails_or_never_ends_is_named(push, canvas, monkeypatch):
    canvas.add_assignment(FIRST, 4)
    canvas.job_ends = "failed"
    status, _, err = push("01", "--yes")
    assert status == 2 and "Canvas could not set the marks (no grade was set)" in err
    monkeypatch.setattr(canvas_course, "JOB_SECONDS", -1)
    status, _, err = push("01", "--yes")
    assert status == 2 and "Canvas has not set the marks within" in err


def test_a_student_whom_canvas_leaves_out_without_a_word_is_named(push, canvas):
    number = canvas.add_assignment(FIRST, 4)
    canvas.ignored = {NUMBER["eli"]}
    status, _, err = push("01", "--yes")
    assert status == 1 and f"NOT RECONCILED eli: Canvas did not take the mark of {FIRST}" in err
    assert canvas.scores(number)[NUMBER["gil"]] == 4.0


def test_a_server_that_is_not_there_is_one_line(push, canvas, course):
    with serving(canvas) as gone:
        pass
    status, out, err = push("01", at=gone)
    line = f"cannot be reached; check the address and the network, and {canvas_course.AGAIN}"
    assert (status, out, err) == (2, "", f"course {course}\nkqa: {gone}: {line}\n")


def test_more_marks_than_one_request_takes_are_sent_in_several(push, canvas, monkeypatch):
    monkeypatch.setattr(canvas_course, "AT_ONCE", 3)
    number = canvas.add_assignment(FIRST, 4)
    assert push("01", "--yes")[0] == 0
    assert len(sent(canvas)) == 2 and canvas.scores(number)[NUMBER["gil"]] == 4.0


USERS = [
    CanvasUser(1, "Ada", {"login": "ada.l@x.org", "SIS": "S1", "Canvas": "1", "email": "ada@x.org"}),
    CanvasUser(2, "Bo", {"login": "bo", "SIS": "1", "Canvas": "2"}),
]


@pytest.mark.parametrize(
    ("students", "kind", "people", "found"),
    [
        (["ada.l@x.org", "bo"], "login", {}, [1, 2]),
        (["S1", "1"], "SIS", {}, [1, 2]),
        (["s1", "3"], "SIS", {}, [1]),
        (["1", "2"], "Canvas", {}, [1, 2]),
        (["bo", "1"], "login", {}, [2]),  # 1 is Ada's number and Bo's SIS id: nobody guesses
        (["bo", "lovelace"], "login", {"lovelace": "ADA@x.org"}, [2, 1]),
        (["bo", "lovelace"], "login", {"lovelace": "ada.l@x.org"}, [2, 1]),
    ],
)
def test_the_class_is_found_by_one_kind_of_id_and_the_rest_by_address(students, kind, people, found):
    roster = {each: Person(each, email=mail) for each, mail in people.items()}
    users, by = match(students, roster, USERS)
    assert (by, [users[each].id for each in students if each in users]) == (kind, found)


@pytest.mark.parametrize(
    ("students", "users", "kind", "said"),
    [
        (
            ["bo"],
            [*USERS, replace(USERS[1], id=3)],
            None,
            "'bo' may be 2 students there, by login id or address",
        ),
        (["bo", "BO"], USERS, None, "Bo (2) is both 'bo' and 'BO'"),
        (["bo"], USERS, "name", "--id: 'name' is no kind of id; choose from login, SIS"),
    ],
)
def test_a_student_who_may_be_two_people_is_named(students, users, kind, said):
    with pytest.raises(UserError, match=re.escape(said)):
        match(students, {}, users, kind)


def test_the_token_comes_from_a_file_for_its_owner_alone(tmp_path, monkeypatch, canvas):
    monkeypatch.delenv("KQA_CANVAS_TOKEN", raising=False)
    path = tmp_path / "token"
    for text, mode, said in [
        (TOKEN, 0o640, "others may read it; expected a file for you alone: chmod 600"),
        (" \n", 0o600, "holds no token"),
        (f"{TOKEN} {TOKEN}", 0o600, "holds no token"),
        (f"{TOKEN}é", 0o600, "holds no token"),
    ]:
        path.write_text(text)
        path.chmod(mode)
        with pytest.raises(UserError, match=said) as problem:
            read_token(path)
        assert TOKEN not in str(problem.value) and str(path) in str(problem.value)
    path.write_text(f"{TOKEN}\n")
    assert read_token(path) == TOKEN
    with pytest.raises(UserError, match="KQA_CANVAS_TOKEN: is not set"):
        read_token()
    with pytest.raises(UserError, match="cannot be read"):
        read_token(tmp_path / "none")
    os.mkfifo(tmp_path / "pipe", 0o600)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving(canvas) as address:
        assert CanvasCourse(address, read_token(path)).name == "Attention"


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("https://canvas.example.edu/courses/12", ("https://canvas.example.edu", "12")),
        (" https://example.edu/canvas/courses/12/gradebook?x=1 ", ("https://example.edu/canvas", "12")),
        ("http://canvas.example.edu/courses/12", "would send the token unencrypted"),
        ("https://canvas.example.edu", "is not the address of a course"),
        ("https://me:secret@canvas.example.edu/courses/12", "is not the address of a course"),
        ("canvas.example.edu/courses/12", "is not the address of a course"),
        ("https://canvas.example.edu:x/courses/12", "is not the address of a course"),
    ],
)
def test_the_course_is_named_by_the_address_that_a_browser_shows(text, made):
    if isinstance(made, tuple):
        assert course_address(text) == made
    else:
        with pytest.raises(UserError, match=made):
            course_address(text)


@pytest.mark.slow
def test_the_address_may_stand_in_the_courses_settings(course, monkeypatch, kqa_in_process, canvas):
    monkeypatch.setattr("autograder.paths._chosen", course)
    monkeypatch.setenv("KQA_CANVAS_TOKEN", TOKEN)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    canvas.add_assignment(FIRST, 4)
    status, said = kqa_in_process("course", "push", "canvas")
    assert (status, said.out) == (2, "") and "no course is named; give --address" in said.err
    with serving(canvas) as address:
        (course / "course.toml").write_text(f'canvas = "{address}"\n')
        try:
            assert "4 to send" in kqa_in_process("course", "push", "canvas", "01")[1].out
        finally:
            (course / "course.toml").unlink()
    assert collect(["01"], course, None).maximum(FIRST) == 4
