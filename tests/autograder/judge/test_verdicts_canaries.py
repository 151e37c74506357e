"""Which way a verdict goes where a whole submission is judged, and what the canaries say of the judge.

The mutants of `tests/mutants` are these turns taken the other way.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from tiny_course import EXERCISES, KEY, KEYS, LIMITS, NAME, RIGHT, SKELETON, notebook, submitted, write_course
from tiny_course import double_result as result

from autograder.judge import canaries, stages, tasks, verdict
from autograder.judge.canaries import Canary, endless_answer, known_answers
from autograder.judge.results import Status
from autograder.judge.seeds import FIXED_KEY, seed_for
from autograder.judge.stages import SLOW
from autograder.judge.tasks import AnswersTask, AnswerTask, SubmissionTask, perform
from autograder.judge.verdict import EVERY, JudgeContext, judge
from autograder.sandbox.errors import InfrastructureError
from autograder.submissions import skeleton
from autograder.submissions.merge import graft, with_answer
from autograder.submissions.store import Submission
from kqa_core.check.exercise import right

G, I, P, B = Status.GRADED, Status.INCIDENT, Status.PERSON, Status.BROKEN  # noqa: E741


@pytest.fixture
def tiny(monkeypatch):
    """The tiny course's exercises and keys, wherever the judge looks for them."""
    monkeypatch.setattr(verdict, "find_checked", KEYS.__getitem__)
    monkeypatch.setattr(canaries, "find_key", KEYS.get)
    monkeypatch.setattr(skeleton, "find", EXERCISES.__getitem__)
    tasks._skeleton.cache_clear()


def test_an_answer_at_which_a_worker_hung_before_is_not_judged_again(tiny, launcher):
    begun = []
    given_up = frozenset({"double"})
    begin = lambda *what: begun.append(what)  # noqa: E731
    grafted = graft(SKELETON, submitted(**RIGHT, why="because"))
    each = {
        one.exercise: one
        for one in judge(grafted, "ann", JudgeContext(KEY, launcher, LIMITS, given_up, begin=begin))
    }
    assert (each["double"].status, each["double"].outcome, each["double"].marks) == (I, "not yet", 0.0)
    assert (each["double"].sentence, each["double"].incident) == (SLOW, "time")
    assert each["total"].marks == 2.0 and (each["why"].status, each["why"].marks) == (P, None)
    assert each["why"].written and not each["total"].written
    assert begun == [
        ("the cells", LIMITS.submission_seconds),
        ("total", LIMITS.exercise_seconds + LIMITS.call_seconds),
        ("the cells", LIMITS.submission_seconds),
        ("total (hidden check)", LIMITS.exercise_seconds + LIMITS.call_seconds),
    ]


def test_a_submission_that_is_given_up_is_not_judged_any_more(tiny, launcher):
    grafted = graft(SKELETON, submitted(**RIGHT, why="because"))
    results = judge(grafted, "ann", JudgeContext(KEY, launcher, LIMITS, frozenset({EVERY})))
    assert {each.incident for each in results if not each.written} == {"time"}


def test_one_answer_alone_is_judged_alone(tiny, launcher):
    results = judge(
        with_answer(SKELETON, "double", RIGHT["double"]), "prove", JudgeContext(KEY, launcher, LIMITS)
    )
    assert [(each.exercise, each.marks) for each in results] == [("double", 2.0)]


def test_the_checks_inputs_have_the_students_own_seeds(tiny, launcher, monkeypatch):
    asked = []

    def spy(check, answer, seed, own=""):
        asked.append((answer._seed, seed))
        return right()

    monkeypatch.setattr(stages, "run_check", spy)
    grafted = with_answer(SKELETON, "double", RIGHT["double"])
    judge(grafted, "ann", JudgeContext(KEY, launcher, LIMITS))
    seeds = [
        seed_for(KEY, "ann", "double", check, grafted.code)
        for check in ("visible calls", "visible", "hidden calls", "hidden")
    ]
    assert asked == [tuple(seeds[:2]), tuple(seeds[2:])] and len(set(seeds)) == 4


def test_a_known_answer_has_the_inputs_of_its_proof_whatever_the_classs_key(
    tmp_path, tiny, launcher, monkeypatch
):
    """With a few classes' keys, a wrong answer that the proof refuses would be right, and nothing graded."""
    drawn = []
    monkeypatch.setattr(verdict, "Draws", lambda key, *more: drawn.append(key) or stages.Draws(key, *more))
    path = write_course(tmp_path) / "source" / NAME / f"{NAME}.ipynb"
    one = AnswerTask("double", "known", RIGHT["double"], path)
    for task in (one, AnswersTask((one, one))):
        perform(task, JudgeContext(KEY, launcher, LIMITS))
    assert drawn == [FIXED_KEY] * 3 and KEY != FIXED_KEY


ENTRY = Submission("ann", NAME, "version.ipynb", None, 5.0, 2, 7.0, None, ("a note of the intake",))


def submission(tmp_path, launcher, text):
    course = write_course(tmp_path / "course")
    (tmp_path / "version.ipynb").write_text(text)
    digest = hashlib.sha256(text.encode()).hexdigest()
    task = SubmissionTask(replace(ENTRY, sha256=digest), tmp_path, course / "source" / NAME / f"{NAME}.ipynb")
    return perform(task, JudgeContext(KEY, launcher, LIMITS))


def test_a_submission_is_judged_with_what_the_manifest_says_of_it(tmp_path, tiny, launcher):
    text = notebook(double=RIGHT["double"], why="because")
    made = submission(tmp_path, launcher, text).result
    assert (made.student, made.assignment, made.status, made.reason) == ("ann", NAME, G, None)
    assert (made.sha256, made.received, made.version, made.late, made.sandbox) == (
        hashlib.sha256(text.encode()).hexdigest(),
        5.0,
        2,
        7.0,
        launcher.tier,
    )
    assert [each.marks for each in made.exercises] == [2.0, 0.0, None] and made.notes == ENTRY.notes


def test_a_submission_that_cannot_be_read_is_refused_and_none_of_it_is_judged(tmp_path, tiny, launcher):
    made = submission(tmp_path, launcher, "{")
    assert (made.result.status, made.result.exercises, made.cells) == (Status.REFUSED, (), ())
    assert (
        "JSON is broken" in made.result.reason
        and made.result.notes == ENTRY.notes
        and made.result.version == 2
    )


def test_the_cells_that_were_judged_are_returned_with_their_roles(tmp_path, tiny, launcher):
    made = submission(tmp_path, launcher, notebook(**RIGHT))
    assert made.result.marks == 4.0
    shown = {cell.grade_id: cell for cell in made.cells}
    assert (
        shown["double"].source == RIGHT["double"]
        and shown["double"].role == "solution"
        and shown["why"].kind == "markdown"
    )


def test_the_judge_notes_what_it_did_besides_the_notes_of_the_intake(tmp_path, tiny, launcher):
    tree = notebook(**RIGHT).replace('"grade_id": "total"', '"grade_id": "lost"')
    made = submission(tmp_path, launcher, tree).result
    assert made.notes == (*ENTRY.notes, "an answer cell has lost nbgrader's metadata: found by the cell's id")
    assert made.marks == 4.0


def test_the_canaries_are_a_right_a_wrong_and_an_endless_answer_that_come_out_so(tmp_path, tiny, launcher):
    path = write_course(tmp_path) / "source" / NAME / f"{NAME}.ipynb"
    right_one, wrong_one = known_answers([path])
    endless = endless_answer([path])
    assert (right_one.outcome, right_one.full, right_one.incident) == ("right", True, None)
    assert (wrong_one.outcome, wrong_one.full, wrong_one.incident) == ("not yet", False, None)
    assert (endless.outcome, endless.full, endless.incident) == ("error", False, "time")
    limits = replace(LIMITS, call_seconds=0.4)
    for each in (right_one, wrong_one, endless):
        assert each.deviation(perform(each.task, JudgeContext(KEY, launcher, limits))) is None
    swapped = replace(right_one, task=wrong_one.task)
    decided = perform(swapped.task, JudgeContext(KEY, launcher, limits))
    assert "is not yet with 0.0 of 2, expected right with 2" in swapped.deviation(decided)


def test_a_canary_is_of_the_first_exercise_whose_key_holds_a_wrong_answer(tmp_path, tiny, monkeypatch):
    path = write_course(tmp_path) / "source" / NAME / f"{NAME}.ipynb"
    empty = replace(KEYS["double"], rejected=())
    monkeypatch.setattr(canaries, "find_key", {"double": empty, "total": KEYS["total"]}.get)
    assert [each.task.exercise for each in known_answers([path])] == ["total", "total"]
    assert endless_answer([path]).task.exercise == "total"
    monkeypatch.setattr(canaries, "find_key", {"double": empty, "total": empty}.get)
    assert known_answers([path]) == () and endless_answer([path]) is None


@pytest.mark.parametrize(
    ("outcome", "full", "incident", "found", "holds"),
    [
        ("right", True, None, result(2.0), True),
        ("right", True, None, result(1.0), False),
        ("right", True, None, result(2.0, outcome="not yet"), False),
        ("right", True, None, result(0.0, outcome="not yet"), False),
        ("right", True, None, result(2.0, incident="time", status=I), False),
        ("right", True, None, result(2.0, status=B), False),
        ("right", True, None, result(None, status=B), False),
        ("right", True, None, None, False),
        ("right", True, None, InfrastructureError("lost"), False),
        ("not yet", False, None, result(0.0, outcome="not yet"), True),
        ("not yet", False, None, result(2.0), False),
        ("not yet", False, None, result(2.0, outcome="not yet"), False),
        ("not yet", False, None, result(1.0, outcome="not yet"), False),
        ("error", False, "time", result(0.0, outcome="error", incident="time", status=I), True),
        ("error", False, "time", result(0.0, outcome="error", incident="died", status=I), False),
        ("error", False, "time", result(0.0, outcome="error", incident="memory", status=I), False),
        ("error", False, "time", result(0.0, outcome="error"), False),
        ("error", False, "time", InfrastructureError("lost"), False),
    ],
)
def test_a_canary_holds_where_all_is_as_it_must_be_and_nowhere_else(
    tmp_path, outcome, full, incident, found, holds
):
    canary = Canary(AnswerTask("double", "a canary", "", tmp_path), outcome, full, incident)
    said = canary.deviation(found)
    assert (said is None) is holds and (holds or said.startswith("canary double, a canary: "))
