"""Every misbehaving submission ends as it should,
earns nothing it should not, and is not noticed by the next student.
"""

from __future__ import annotations

import json

import pytest
from corpus import ALL, FAMILIES
from corpus.fixture import SEEN, Fixture
from hostile_course import NAME
from judging import ALONE, NUMBERED, Class, following, half, left_running, plain, runs, student

from autograder.answer_key import find_checked
from autograder.judge.results import Status
from autograder.submissions.student_names import safe_name
from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find
from kqa_core.check.run import run_check

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("hostile")]


def result(classes: list[Class], number: int, fixture: Fixture) -> dict:
    """What became of a fixture. A name that the judge does not take as it is comes back as another."""
    seen = classes[half(fixture, number)]
    return seen.results[safe_name(student(fixture, number))]


def wrongs(found: dict, fixture: Fixture) -> list[str]:
    """What is not as the fixture says."""
    if fixture.status is not None:
        marks = sum(each["marks"] or 0 for each in found["exercises"])
        return (
            []
            if found["status"] == fixture.status and not marks
            else [f"is {found['status']} with {marks} ({found['reason']})"]
        )
    checked = {each["exercise"]: each for each in found["exercises"] if not each["written"]}
    said = []
    if list(checked) != list(fixture.marks):
        said.append(f"is {found['status']}: {found['reason']}")
    for name, each in checked.items():
        allowed = fixture.lost.get(name, (None,))
        if each["marks"] != fixture.marks[name]:
            said.append(f"{name}: {each['marks']} marks, expected {fixture.marks[name]} ({each['sentence']})")
        if each["incident"] not in allowed:
            said.append(
                f"{name}: incident {each['incident']}, expected {' or '.join(map(str, allowed))}"
                f" ({each['sentence']})"
            )
    if fixture.untold and fixture.untold in json.dumps(found):
        said.append(f"tells {fixture.untold!r}")
    status = Status.INCIDENT if any(each["incident"] for each in checked.values()) else Status.GRADED
    if found["status"] != status:
        said.append(f"is {found['status']}, expected {status}")
    return said


def test_the_visible_check_calls_average_all_as_often_as_the_corpus_says():
    calls = []
    key, exercise = find_checked("average_all"), find("average_all")
    assert exercise.check is not None
    answer = LocalAnswer(lambda K: calls.append(K) or key.reference(K))
    assert run_check(exercise.check, answer, 1, exercise.id).outcome is Outcome.RIGHT
    assert len(calls) == SEEN


@pytest.mark.parametrize(("number", "fixture"), NUMBERED, ids=[fixture.name for _, fixture in NUMBERED])
def test_it_ends_as_it_should_and_the_next_student_does_not_notice(classes, number, fixture):
    if not runs(fixture):
        pytest.skip("would harm this machine: no sandbox holds here")
    assert wrongs(result(classes, number, fixture), fixture) == []
    seen = classes[half(fixture, number)]
    assert plain(seen.results[following(fixture, number)]) == plain(seen.results[ALONE[fixture.notebook]])


def test_every_neighbour_is_judged_right_after_the_hostile_one_and_on_the_same_slot(classes):
    for number, fixture in NUMBERED:
        if runs(fixture) and fixture.status is None and fixture.student is None:
            order = classes[half(fixture, number)].order
            assert order.index(following(fixture, number)) == order.index(student(fixture, number)) + 1


def test_the_honest_student_gets_the_same_in_both_classes_and_has_a_mark_to_lose(classes):
    one, two = (each.results[ALONE[NAME]] for each in classes)
    assert plain(one) == plain(two)
    assert (
        one["exercises"][0]["marks"] == 1.0 and one["exercises"][2]["mistake"] == "half_instead_of_a_quarter"
    )


def test_the_gradebook_holds_the_judges_marks_and_no_others(classes):
    for seen in classes:
        judged = {name: found["exercises"] for name, found in seen.results.items() if found["exercises"]}
        given = {name: sum(each["marks"] or 0 for each in exercises) for name, exercises in judged.items()}
        assert {name: seen.scores.get(name) for name in given} == given


def test_nobody_reached_the_network_the_course_or_the_browser_and_nothing_runs_on(classes):
    for seen in classes:
        assert (seen.connections, seen.changed, seen.markup, seen.differences) == ([], [], [], [])
    assert left_running() == []


def test_the_corpus_is_summed_up(classes, capsys):
    """Prints the figures of the corpus; the bar is all, 0 and 0."""
    run = [(number, fixture) for number, fixture in NUMBERED if runs(fixture)]
    good = sum(not wrongs(result(classes, number, fixture), fixture) for number, fixture in run)
    unearned = changed = 0.0
    for number, fixture in run:
        found = result(classes, number, fixture)
        due = fixture.marks
        unearned += sum(
            max(0.0, (each["marks"] or 0.0) - due.get(each["exercise"], 0.0)) for each in found["exercises"]
        )
        seen = classes[half(fixture, number)]
        after = seen.results[following(fixture, number)]
        changed += plain(after) != plain(seen.results[ALONE[fixture.notebook]])
    judged = {fixture.name for _, fixture in run}
    counts = {name: sum(each.name in judged for each in family) for name, family in FAMILIES.items()}
    families = ", ".join(f"{name} {count}" for name, count in counts.items())
    with capsys.disabled():
        harmful = len(NUMBERED) - len(run)
        left_out = f"; {harmful} not run, for want of a sandbox" if harmful else ""
        print(
            f"\nhostile corpus: {len(run)} submissions ({families}){left_out}\nas expected {good} of"
            f" {len(run)}; marks unearned {unearned:g}; honest neighbours changed {changed:g}"
        )
    assert (good, unearned, changed) == (len(run), 0.0, 0.0)
    assert len(ALL) >= 172


def test_the_trusted_process_never_holds_more_than_a_gibibyte(classes, capsys):
    """Prints the most memory that a worker or the process that publishes has held,
    whatever the corpus returned.
    """
    peak = max(seen.peak for seen in classes)
    with capsys.disabled():
        print(f"\nhostile corpus: a trusted process has held {peak / 2**20:.0f} MiB at most")
    assert 2**27 < peak <= 2**30
