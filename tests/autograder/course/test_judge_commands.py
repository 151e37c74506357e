"""`kqa course try`, `prove`, `grade` and `report`,
from the files a person gives to what stands on the screen and on disk.
"""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from another_course import working_on
from small_course import EXERCISES, NAME, write_course
from sorting_students import EXERCISE, write_students

from autograder.answer_key import answer_source, find_key
from autograder.course import sample_class
from autograder.course.grade import grade
from autograder.course.prove import prove
from autograder.course.publisher import reconcile
from autograder.course.sample_class import COLUMNS
from autograder.course.tables import class_table, proof_table
from autograder.course.try_answers import try_answer
from autograder.grading import batch
from autograder.grading.config import Events, GradingConfig, JudgeConfig
from autograder.judge.results import ExerciseResult, Status, SubmissionResult
from autograder.judge.tasks import SubmissionTask
from autograder.paths import COURSE
from autograder.report.report import report
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.sandbox.unconfined import TIER
from autograder.submissions.store import Submission
from kqa_core.errors import UserError

# one class, graded once
pytestmark = [pytest.mark.usefixtures("unconfined"), pytest.mark.xdist_group("commands")]
LIMITS = Limits(call_seconds=2.0, extras_seconds=6.0)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return write_course(tmp_path_factory.mktemp("course") / "notebooks")


@pytest.fixture(scope="module")
def sample(course, tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sample_class, "course_folder", lambda: course)  # the keys are this repository's
        patch.setattr(sample_class, "chosen", lambda _: [NAME])
        sample_class.write_class(folder)
    return folder


@pytest.fixture(scope="module")
def graded(course, sample):
    return grade(
        GradingConfig(
            assignment="01", submissions=sample / "submitted", workers=1, course=course, limits=LIMITS
        )
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return write_students(tmp_path_factory.mktemp("sorting"), 0)[0]


@pytest.fixture
def sorting(made):
    """How answers are judged in a course of one exercise that needs no torch."""
    with working_on(made):
        yield JudgeConfig(tier=TIER, course=made, checks=made, workers=1, limits=LIMITS)


def rows(folder):
    head, *lines = (line.split("\t") for line in (folder / "expected.tsv").read_text().splitlines())
    assert tuple(head) == COLUMNS
    return lines


def found(result):
    """A result in the form of the table of what must come out."""
    blank = sum(each.status is Status.UNATTEMPTED for each in result.exercises)
    waiting = sum(each.status is Status.PERSON for each in result.exercises)
    incident = "; ".join(f"{each.exercise}: {each.incident}" for each in result.exercises if each.incident)
    return [
        result.student,
        result.assignment,
        str(result.status),
        f"{result.marks:g}",
        str(result.points),
        str(blank),
        str(waiting),
        incident,
    ]


@pytest.mark.slow
def test_a_graded_class_comes_out_as_it_was_made(graded, sample):
    assert [found(result) for result in graded.results] == rows(sample)
    assert graded.differences == []


@pytest.mark.slow
def test_known_mistakes_are_named_and_told_their_own_sentence(graded):
    eve = next(result for result in graded.results if result.student == "eve")
    for each in eve.exercises[:2]:
        key = find_key(each.exercise)
        assert each.mistake in {function.__name__ for function in key.rejected}


@pytest.mark.slow
def test_grading_again_changes_nothing(graded, course, sample):
    pages = {
        path: path.read_bytes()
        for folder in ("autograded", "feedback")
        for path in (course / folder).rglob("*.*")
    }
    again = grade(
        GradingConfig(
            assignment="01", submissions=sample / "submitted", workers=1, course=course, limits=LIMITS
        )
    )
    assert again.results == graded.results and pages
    assert {path: path.read_bytes() for path in pages} == pages


@pytest.mark.slow
def test_what_a_student_gets_back_holds_no_hidden_source_and_no_rubric(graded, course):
    key = find_key("why_select")
    for path in (course / "feedback").rglob("*.html"):
        text = path.read_text()
        assert (
            "HIDDEN" not in text
            and "autograder" not in text
            and not any(idea in text for _, idea in key.rubric)
        )


@pytest.mark.slow
def test_the_report_tells_of_every_student_and_escapes_what_they_wrote(graded, course, tmp_path):
    path = report(tmp_path, course)
    assert all(f'href="answers/{result.student}.html"' in path.read_text() for result in graded.results)
    assert all((tmp_path / "students" / f"{result.student}.html").is_file() for result in graded.results)
    for each in tmp_path.rglob("*.html"):
        page = each.read_text()
        assert page.count("<script") == (each == path) and "http" not in page.replace("http-equiv", "")
    page = (tmp_path / "notebooks" / f"{NAME}.html").read_text()
    assert all(name in page for name in EXERCISES)
    eve = next(result for result in graded.results if result.student == "eve")
    assert eve.exercises[0].mistake.replace("_", " ") in page


@pytest.mark.slow
def test_the_course_key_is_readable_by_its_owner_alone(graded, course):
    assert stat.S_IMODE((course / ".course_key").stat().st_mode) == 0o600


def test_a_report_on_nothing_says_what_to_do(tmp_path):
    with pytest.raises(UserError, match="kqa course grade"):
        report(tmp_path, tmp_path)


@pytest.mark.slow
def test_the_proof_of_a_true_course_holds(sorting):
    done = []
    proof = prove((), sorting, Events(done=done.append))
    assert proof.holds and len(done) == sum(sum(line.answers.values()) for line in proof.lines)
    assert proof.total("reference") == (1, 1) and proof.total("stub") == (1, 1)
    assert proof.total("rejected")[0] >= 8 and len(proof_table(proof).rows) == 2


@pytest.mark.slow
def test_a_deviation_from_the_key_is_found_and_named(sorting, monkeypatch):
    from autograder.course import prove as module

    def wrong_key(name):
        key = find_key(name)
        return replace(key, accepted=key.rejected[:1], rejected=(*key.accepted[:1], key.rejected[1]))

    monkeypatch.setattr(module, "find_checked", wrong_key)
    proof = prove((), sorting)
    assert not proof.holds
    assert [line.split(":")[1].split()[0] for line in proof.deviations] == ["accepted", "rejected"]


def answer(tmp_path, text):
    path = tmp_path / "answer.py"
    path.write_text(text) if isinstance(text, str) else path.write_bytes(text)
    return path


@pytest.mark.slow
def test_an_answer_from_a_file_is_judged(sorting, tmp_path):
    right = answer(tmp_path, answer_source(EXERCISE, find_key(EXERCISE).accepted[0]))
    result = try_answer(EXERCISE, right, sorting)
    assert (result.outcome, result.marks) == ("right", float(result.points))


@pytest.mark.slow
def test_an_answer_on_which_pythons_parser_works_for_minutes_is_judged_in_the_time_of_a_cell(
    sorting, tmp_path
):
    """It is parsed and run in the runner. The worker itself is not stopped,
    or the outcome would be an infrastructure error.
    """
    path = answer(tmp_path, 'f"' + "{x}" * 300_000 + '"')
    limits = replace(LIMITS, cell_seconds=2.0)
    result = try_answer(EXERCISE, path, replace(sorting, limits=limits))
    assert (result.outcome, result.marks, result.incident) == ("error", 0.0, "time")


@pytest.mark.slow
def test_a_folder_of_answers_is_judged_and_each_has_its_line(tmp_path, kqa_in_process):
    key = find_key("average_all")
    for name, text in {
        "right": answer_source("average_all", key.accepted[0]),
        "wrong": answer_source("average_all", key.rejected[0]),
        "broken": "def average_all(K) return",
    }.items():
        path = tmp_path / "average_all" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    status, printed = kqa_in_process("course", "try", "--batch", str(tmp_path), "--json")
    lines = [json.loads(line) for line in printed.out.splitlines()]
    assert status == 1
    found = {Path(line["file"]).stem: line["outcome"] for line in lines}
    assert found == {"right": "right", "wrong": "not yet", "broken": "error"}
    assert all(line["exercise"] == "average_all" and line["sentence"] for line in lines)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "expected an exercise and a file, or --batch FOLDER"),
        (("average_all",), "expected an exercise and a file"),
        (("average_all", "--batch", "{}"), "expected an exercise and a file"),
        (("--batch", "{}"), "holds no answers"),
        (("--batch", "{}/none"), "no such folder"),
    ],
)
def test_a_batch_that_cannot_be_tried_is_one_line(tmp_path, kqa_in_process, arguments, words):
    status, printed = kqa_in_process("course", "try", *(each.format(tmp_path) for each in arguments))
    assert status == 2 and words in printed.err and printed.err.count("\n") == 1 and printed.out == ""


@pytest.mark.parametrize(
    ("exercise", "text", "words"),
    [
        ("no_such_exercise", "x", "no exercise is called"),
        ("why_select", "x", "written answer"),
        ("average_all", b"\xff\xfe\x00", "not UTF-8"),
        ("average_all", b"x" * (2**20 + 1), "larger than"),
        ("average_all", None, "no such file"),
    ],
)
def test_what_cannot_be_tried_is_one_line_with_advice(course, tmp_path, exercise, text, words):
    path = tmp_path / "none.py" if text is None else answer(tmp_path, text)
    with pytest.raises(UserError, match=words):
        try_answer(exercise, path, JudgeConfig(course=course))


def test_a_folder_in_place_of_a_file_is_one_line(course, tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        try_answer("average_all", tmp_path, JudgeConfig(course=course))


@pytest.mark.parametrize(
    "command", [["try", "no_such_exercise", "none.py"], ["grade"], ["grade", "01", "--all"], ["grade", "99"]]
)
def test_a_users_mistake_ends_in_one_line_and_status_2(command, kqa_in_process):
    status, printed = kqa_in_process("course", *command)
    *course, mistake = printed.err.splitlines()  # a command that writes names its course first
    assert status == 2 and mistake.startswith("kqa: ") and printed.out == ""
    assert course in ([], [f"course {COURSE}"])


@pytest.mark.slow
def test_a_class_folder_that_is_none_is_one_line(tmp_path):
    course = write_course(tmp_path / "notebooks")
    config = GradingConfig(assignment="01", submissions=tmp_path / "class", course=course, tier="bubblewrap")
    with pytest.raises(UserError, match="no such folder"):
        grade(replace(config, submissions=tmp_path / "none"))
    (tmp_path / "class").mkdir()
    with pytest.raises(UserError, match="knows no student"):
        grade(config)
    (tmp_path / "class" / "ann").mkdir()
    with pytest.raises(UserError, match="no submission"):
        grade(replace(config, assignment=None))
    assert [result.status for result in grade(config).results] == ["missing"]


def test_what_has_no_status_or_is_broken_is_listed():
    entries = [Submission("ann", NAME, "a"), Submission("bob", NAME, "b")]
    broken = ExerciseResult("select_first", Status.BROKEN, "error", None, 1, "the check is broken")
    results = [
        SubmissionResult("ann", NAME, Status.BROKEN, (broken,)),
        *2 * [SubmissionResult("cay", NAME, Status.GRADED)],
    ]
    listed = reconcile(entries, results)
    assert [line.split(",")[0] for line in listed] == [
        "bob",
        "cay",
        "cay",
        "ann",
    ] and "the check is broken" in listed[3]
    assert [line.partition(": ")[2] for line in listed[:3]] == [
        "has no status",
        "was judged but is not in the manifest",
        "was judged twice",
    ]


@pytest.mark.slow
def test_a_judge_that_fails_gives_nobody_a_zero(tmp_path, monkeypatch):
    course = write_course(tmp_path / "notebooks")
    written = course / "source" / NAME / f"{NAME}.ipynb"
    (tmp_path / "class" / "zoe" / NAME).mkdir(parents=True)
    (tmp_path / "class" / "zoe" / NAME / written.name).write_bytes(written.read_bytes())
    asked = []

    def lost(tasks, *rest):
        for task in tasks:
            asked.append(task)
            if isinstance(task, SubmissionTask):
                yield task, InfrastructureError("no memory left")

    monkeypatch.setattr(batch, "run_tasks", lost)
    for _ in range(2):  # nothing of it is kept: the next run tries again
        outcome = grade(
            GradingConfig(assignment="01", submissions=tmp_path / "class", course=course, tier="bubblewrap")
        )
        assert outcome.results[0].status is Status.BROKEN and "no memory left" in outcome.differences[0]
    assert sum(isinstance(task, SubmissionTask) for task in asked) == 2
    assert not (course / "feedback" / "zoe").exists()
    assert class_table(outcome.results, outcome.marks).row_count == 1
