"""Marks sent to the platform from which the class logs in: what has changed, to whom, and nothing else;
over real sockets, to a platform that verifies the tool's signature.
"""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta

import pytest
from lti_platform import CLIENT, Platform, hub_config, person_id, serving
from test_export import FIRST, SECOND, fill

from autograder.gradebook.gradebook import open_gradebook

pytest.importorskip("jwt", reason="PyJWT is not installed: set-up installs it")
pytest.importorskip("tornado")
from autograder.export import lti_platform, push_lti

pytestmark = [
    # nbgrader's own way of adding a submission
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.xdist_group("push"),
]
# bo's waits for a person; cy and dee have none
MARKS = {"ann": 2.5, "bo": 0.0, "eli": 1.0, "fay": 0.0, "gil": 4.0}
LOGINS = ("ann", "bo", "cy", "dee", "eli", "fay", "gil")
WHOLE = {"ann": 2.5, "eli": 1.0, "fay": 0.0, "gil": 4.0}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A course with marks and a key."""
    course = fill(tmp_path_factory.mktemp("graded"), ("eli", "fay", "gil"), MARKS)
    lti_platform.make_key(course / ".lti_key.pem")
    return course


@pytest.fixture
def course(graded, tmp_path):
    """Such a course of the test's own."""
    return shutil.copytree(graded, tmp_path / "course")


@pytest.fixture
def platform():
    with serving(Platform()) as platform:
        platform.people = {person_id(login) for login in LOGINS}
        yield platform


@pytest.fixture
def launched(platform, course, tmp_path):
    """Somebody comes to the hub; the hub's file of launches."""
    text = f"""course = "{course}"\ninstructors = []\n[lti]\ncourse = "1234"\nclient_id = "{CLIENT}"
    issuer = "{platform.address}"\ntoken_url = "{platform.address}/token"\nauthorize_url = ""
    jwks_endpoint = "" """
    _, functions = hub_config(tmp_path, text)

    def run(login):
        asked = {"client_id": CLIENT, "nonce": "", "login_hint": login, "lti_message_hint": "[]"}
        functions["admit"](None, None, {"name": login, "auth_state": platform.claims(asked)})
        return tmp_path / "lti" / "launches.json"

    return run


@pytest.fixture
def push(platform, course, launched, monkeypatch, kqa_in_process):
    """`kqa course push lti`, once all have logged in and the platform has the key; status, output, errors."""
    monkeypatch.setattr("autograder.paths._chosen", course)
    monkeypatch.setattr(lti_platform, "FIRST_PAUSE", 0.0)
    monkeypatch.setattr(push_lti, "IN_A_ROW", 3)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for login in LOGINS:
        launches = launched(login)
    platform.tool_keys = lti_platform.public_keys(lti_platform.read_key(course / ".lti_key.pem"))["keys"]

    def run(*words):
        status, said = kqa_in_process("course", "push", "lti", *words, "--launches", launches)
        secrets = [*platform.tokens, *(course / ".lti_key.pem").read_text().splitlines()[1:-1]]
        assert not [secret for secret in secrets if secret in said.out + said.err]
        return status, said.out, said.err

    return run


def marks(platform, number):
    """The marks of a line item, by login."""
    names = {person_id(login): login for login in LOGINS}
    return {names[person]: mark for person, mark in platform.marks(number).items()}


def sent(platform):
    """How many scores arrived since the last question."""
    count = sum(path.endswith("/scores") for _, path in platform.asked)
    platform.asked.clear()
    return count


def line_of(said):
    """The one line of a failure."""
    (line,) = [line for line in said.splitlines() if line.startswith("kqa: ")]
    return line


@pytest.mark.parametrize("words", [(), ("--dry-run",)])
def test_without_yes_it_shows_what_would_be_sent_and_sends_nothing(push, platform, course, words):
    platform.add("Homework: 01 Attention as a Lookup", 4)
    status, out, err = push("01", *words)
    assert (status, err, sent(platform)) == (0, f"course {course}\n", 0)
    rows = [line.replace("│", " ").split(None, 3) for line in out.splitlines() if line.startswith("│")]
    shown = {who: mark.strip() for _, who, _, mark in rows}
    assert shown == {"ann": "2.5", "bo": "waits for a person", "eli": "1", "fay": "0", "gil": "4"}
    assert f"{FIRST} (4 points): 5 to send\n" in out and "nothing was sent; --yes sends these 5 marks" in out
    assert not (course / "people" / "lti_scores.json").exists()


def test_the_platform_has_the_marks_then_in_its_own_points_and_the_second_time_nothing_is_sent(
    push, platform, course
):
    for other in range(4):  # line items come in pages
        platform.add(f"another {other}", 1)
    number = platform.add("Homework: 01 Attention as a Lookup", 100)
    status, out, err = push("01", "--yes")
    assert (status, sent(platform)) == (0, 5) and "sent 5 marks" in out, err
    assert marks(platform, number) == {login: 25 * mark for login, mark in WHOLE.items()}
    # on Canvas, no new attempt of the student's
    told = [score["https://canvas.instructure.com/lti/submission"] for score in platform.scores.values()]
    assert told == [{"new_submission": False}] * 5
    assert (course / "people" / "lti_scores.json").stat().st_mode & 0o777 == 0o600
    status, out, _ = push("01", "--yes")
    assert (status, sent(platform)) == (0, 0)
    assert "(4 points, 100 on the platform): 0 to send, 5 sent before" in out


@pytest.mark.slow
def test_only_what_has_changed_is_sent_again_and_it_is_newer(push, platform, course):
    number = platform.add(FIRST, 4)
    push("01", "--yes")
    before = dict(platform.scores)
    change(course, "gil", auto_score=3.0)
    sent(platform)
    status, out, _ = push("01", "--yes")
    assert (status, sent(platform)) == (0, 1) and "1 to send, 4 sent before" in out
    assert marks(platform, number) == WHOLE | {"gil": 3.0}
    times = [where[number, person_id("gil")]["timestamp"] for where in (before, platform.scores)]
    assert times[0] < times[1]


def change(course, student, **values):
    """Change a student's grade in the gradebook."""
    with open_gradebook(course) as book:
        grade = book.find_grade("check_one", FIRST, FIRST, student)
        for name, value in values.items():
            setattr(grade, name, value)
        book.db.commit()


@pytest.mark.slow
def test_work_that_waits_for_a_person_has_no_mark_until_the_person_has_marked_it(push, platform, course):
    number = platform.add(FIRST, 4)
    push("01", "--yes")
    there = platform.scores[number, person_id("bo")]
    assert (there["activityProgress"], there["gradingProgress"]) == ("Submitted", "PendingManual")
    assert "scoreGiven" not in there
    change(course, "bo", auto_score=3.0, needs_manual_grade=False)
    assert push("01", "--yes")[0] == 0 and marks(platform, number) == WHOLE | {"bo": 3.0}
    there = platform.scores[number, person_id("bo")]
    assert (there["activityProgress"], there["gradingProgress"]) == ("Completed", "FullyGraded")
    change(course, "bo", needs_manual_grade=True)  # a later version came
    assert push("01", "--yes")[0] == 0 and marks(platform, number) == WHOLE


def test_a_late_mark_says_its_penalty_and_missing_work_counts_nothing_only_if_asked_for(push, platform):
    first, second = platform.add(FIRST, 4), platform.add(SECOND, 10)
    assert push("--yes")[0] == 0 and marks(platform, first) == WHOLE
    assert marks(platform, second) == {"ann": 5.0}  # 8, and 3 for lateness
    assert platform.scores[second, person_id("ann")]["comment"] == "Late: 3 points less."
    assert push("01", "--yes", "--zeros")[0] == 0 and marks(platform, first) == WHOLE | {"dee": 0.0}


@pytest.mark.slow
def test_a_line_item_is_made_if_that_is_asked_for_and_found_again_under_another_label(push, platform):
    status, _, err = push("01", "--yes")
    assert (status, platform.items, sent(platform)) == (1, {}, 0)
    assert f"NOT RECONCILED {FIRST}: the platform has no line item of this name; --create makes one\n" in err
    assert "a new line item): 5 to send" in push("01", "--create")[1] and platform.items == {}
    assert push("01", "--yes", "--create")[0] == 0
    assert [item["scoreMaximum"] for item in platform.items.values()] == [4] and marks(platform, "1") == WHOLE
    platform.items["1"]["label"] = "Week 1"
    sent(platform)
    assert push("01", "--yes", "--create")[0] == 0 and (len(platform.items), sent(platform)) == (1, 0)


def test_two_line_items_of_one_name_are_named(push, platform):
    platform.add(FIRST, 4)
    platform.add("01 attention as a lookup", 4)
    status, _, err = push("01", "--yes")
    assert (status, sent(platform)) == (1, 0)
    assert f"{FIRST}: the platform has 2 line items of this name" in err


@pytest.mark.slow
def test_who_never_came_and_who_has_left_are_named_and_the_others_are_sent(
    push, platform, course, launched, tmp_path
):
    number = platform.add(FIRST, 4)
    launches = tmp_path / "lti" / "launches.json"
    facts = json.loads(launches.read_text())
    del facts["people"]["eli"]
    launches.write_text(json.dumps(facts))
    platform.people.remove(person_id("fay"))
    status, out, err = push("01", "--yes")
    assert status == 1 and "sent 3 marks" in out
    assert [line for line in err.splitlines() if line.startswith("NOT RECONCILED")] == [
        "NOT RECONCILED eli: has marks, but never came to the hub from the platform, so its id there is not"
        " known",
        f"NOT RECONCILED fay: the platform did not take the mark of {FIRST} (422, Unprocessable Entity"
        ' {"error": "User not found in course or is not a student"}); is the student still in the course'
        " there?",
    ]
    assert marks(platform, number) == {"ann": 2.5, "gil": 4.0}
    launched("eli")
    platform.people.add(person_id("fay"))
    sent(platform)
    assert push("01", "--yes")[0] == 0 and (sent(platform), marks(platform, number)) == (2, WHOLE)


def test_an_access_token_that_expires_is_replaced(push, platform):
    number = platform.add(FIRST, 4)
    platform.lasts = 2
    assert push("01", "--yes")[0] == 0 and marks(platform, number) == WHOLE
    assert platform.asked.count(("POST", "/token")) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("refusals", "said"),
    [
        ([["scores", 429, {"Retry-After": "0"}], ["scores", 503, {}], ["lineitems$", 500, {}]], None),
        ([["POST /token", 429, {"Retry-After": "0"}]], None),
        ([["scores", 429, {"Retry-After": "0"}]] * 4, "platform limits how much may be asked; later, give"),
        ([["POST /token", 503, {}]] * 4, "the platform cannot answer now (Service Unavailable {}); later,"),
        ([["lineitems$", 500, {}]] * 4, "did not list the line items (500, Internal Server Error {})"),
        ([["scores", 502, {}]] * 4, "the platform cannot answer now (Bad Gateway {}); later,"),
        ([["scores", 500, {}]] * 12, "the platform fails at each mark (500, Internal Server Error {}); l"),
        ([["lineitems$", 302, {"Location": "/login"}]], "did not list the line items (302, Found {})"),
        ([["lineitems$", 200, {}]], "the answer is not a platform's"),
    ],
)
def test_what_the_platform_cannot_do_now_is_repeated_and_then_one_line(push, platform, refusals, said):
    number = platform.add(FIRST, 4)
    platform.refusals = list(refusals)
    status, _, err = push("01", "--yes")
    if said is not None:
        assert status == 2 and said in line_of(err)
        assert platform.refusals == []  # so many tries, and no more
        status, _, err = push("01", "--yes")
    assert (status, marks(platform, number)) == (0, WHOLE), err


@pytest.mark.slow
def test_marks_that_arrived_before_a_failure_are_not_sent_again(push, platform):
    number = platform.add(FIRST, 4)
    platform.add("x", 1)
    take = platform.take
    busy = [["scores", 503, {}]] * 4
    platform.take = lambda number, score: platform.refusals.extend(busy) or take(number, score)
    assert push("01", "--yes")[0] == 2 and len(platform.scores) == 1
    platform.take = take
    sent(platform)
    assert push("01", "--yes")[0] == 0 and (sent(platform), marks(platform, number)) == (4, WHOLE)


@pytest.mark.parametrize(("status_there", "times"), [(500, 4), (404, 1)])  # 404: of the student
def test_one_student_who_cannot_be_taken_does_not_stop_the_others(push, platform, status_there, times):
    number = platform.add(FIRST, 4)
    platform.refusals = [["scores", status_there, {}]] * times
    status, _, err = push("01", "--yes")
    line = f"NOT RECONCILED ann: the platform did not take the mark of {FIRST} ({status_there}"
    assert status == 1 and line in err
    assert marks(platform, number) == {login: mark for login, mark in WHOLE.items() if login != "ann"}


@pytest.mark.slow
def test_a_line_item_that_has_vanished_is_named_and_a_new_one_gets_all_marks(push, platform):
    platform.add(FIRST, 4)
    push("01", "--yes")
    platform.items.clear()
    platform.add("another", 1)
    status, _, err = push("01", "--yes")
    line = f"{FIRST}: the line item of the last push has vanished from the platform; --create makes one"
    assert status == 1 and line in err
    assert push("01", "--yes", "--create")[0] == 0 and marks(platform, "2") == WHOLE


def test_a_line_item_that_vanishes_meanwhile_is_one_line(push, platform):
    platform.add(FIRST, 4)
    take = platform.take
    platform.take = lambda number, score: (take(number, score), platform.items.clear())[0]
    status, out, err = push("01", "--yes")
    assert status == 1 and "sent 1 marks" in out
    assert f"{FIRST}: the line item has vanished from the platform" in err
    assert err.count("NOT RECONCILED") == 1


def test_a_newer_mark_on_the_platform_stays(push, platform):
    number = platform.add(FIRST, 4)
    later = (datetime.now(UTC) + timedelta(hours=1)).isoformat(timespec="milliseconds")
    there = {"scoreGiven": 1.0, "scoreMaximum": 4.0, "gradingProgress": "FullyGraded", "timestamp": later}
    platform.scores[number, person_id("gil")] = there
    status, _, err = push("01", "--yes")
    assert status == 1 and f"gil: the platform has a newer mark of {FIRST} (409" in err
    assert marks(platform, number) == WHOLE | {"gil": 1.0}


@pytest.mark.slow
def test_a_key_or_a_right_that_the_platform_does_not_know_is_one_line(push, platform):
    platform.add(FIRST, 4)
    platform.lasts = 0
    assert "the platform does not accept its own new access token" in line_of(push("01", "--yes")[2])
    platform.tool_keys = []
    status, _, err = push("01", "--yes")
    assert status == 2 and "gives no access token (Bad Request" in line_of(err)
    assert "check that it has this tool's public key (`kqa course push lti-key`)" in err


def test_a_server_that_is_not_there_is_one_line(push, tmp_path):
    gone = "http://127.0.0.1:9/token"  # the port is reserved for what answers nothing
    launches = tmp_path / "lti" / "launches.json"
    launches.write_text(json.dumps(json.loads(launches.read_text()) | {"token_url": gone}))
    status, _, err = push("01")
    assert status == 2 and f"{gone}: cannot be reached; check the address and the network" in line_of(err)


@pytest.mark.slow
def test_the_launches_file_may_stand_in_the_settings(push, platform, course, tmp_path, kqa_in_process):
    platform.add(FIRST, 4)
    status, said = kqa_in_process("course", "push", "lti", "01")
    assert status == 2 and "push lti: give --launches" in line_of(said.err)
    (course / "course.toml").write_text('lti = "../lti/launches.json"\n')
    assert "5 to send" in kqa_in_process("course", "push", "lti", "01")[1].out
