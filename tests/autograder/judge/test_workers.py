"""Workers side by side: every task ends in a result, whatever its worker does.

They work on a course without torch, because a worker that imports it takes four times as long to start.
"""

from __future__ import annotations

import os
import shutil

import pytest
from another_course import working_on
from worker_tasks import Impatient

from autograder import paths
from autograder.course.new_course import TEMPLATE
from autograder.grading.config import JudgeConfig
from autograder.grading.workers import Workers, run_tasks
from autograder.judge.tasks import Slow
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.timeout_and_memory_limits import Limits

LIMITS = Limits(grace_seconds=0.5, busy=1.0)


@pytest.fixture(scope="module", autouse=True)
def _course(tmp_path_factory):
    with working_on(shutil.copytree(TEMPLATE, tmp_path_factory.mktemp("course") / "sorting")):
        yield


@pytest.mark.slow
def test_every_task_has_exactly_one_result_whatever_its_worker_does(tmp_path):
    tasks = [
        *(("add", n) for n in range(12)),
        ("hang",),
        ("die", str(tmp_path / "dies")),
        ("die once", str(tmp_path / "dies once")),
        ("raise",),
        ("die at two",),
        ("hang in the cells",),
        ("again",),
        ("fill",),
    ]
    config = JudgeConfig(limits=LIMITS, workers=2, perform="worker_tasks:perform", tier="bubblewrap")
    done = list(run_tasks(tasks, config))
    assert sorted(map(str, (task for task, _ in done))) == sorted(map(str, tasks))
    results = {task[0] if task[0] != "add" else task: result for task, result in done}
    assert [results["add", n] for n in range(12)] == [2 * n for n in range(12)]
    assert results["hang"] == ["two"]  # killed from outside, and begun again without what it hung on
    assert results["die once"] == "came back"
    assert results["die at two"] == ["two"]  # what ends the worker twice is not judged any more
    assert results["hang in the cells"] == ["*"]  # what hangs twice while its cells run is judged in nothing
    assert results["again"] == "judged"  # the second attempt knows that it is one
    assert results["fill"] == "no memory"
    assert isinstance(results["die"], InfrastructureError)
    assert isinstance(results["raise"], InfrastructureError) and "no luck" in str(results["raise"])


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two processors")
def test_workers_side_by_side_have_processors_of_their_own():
    several, alone = Workers(JudgeConfig(workers=2)), Workers(JudgeConfig(workers=1))
    cores = [several.config_of(number).limits.core for number in range(2)]
    assert len(set(cores)) == 2 and set(cores) <= os.sched_getaffinity(0)
    assert alone.config_of(0).limits.core is None


@pytest.mark.slow
def test_a_submission_that_hangs_everywhere_is_given_up():
    limits = Limits(grace_seconds=0.1, submission_seconds=3.0, busy=1.0)
    config = JudgeConfig(limits=limits, workers=1, perform="worker_tasks:perform", tier="bubblewrap")
    ((_, given_up),) = run_tasks([("hang at many",)], config)
    assert 1 < given_up < 100  # some exercises, and then all the others at once


@pytest.mark.slow
def test_a_submission_that_hangs_the_worker_has_its_place_for_its_first_seconds_only():
    limits = Limits(grace_seconds=0.1, first_seconds=0.5, busy=1.0)
    config = JudgeConfig(limits=limits, workers=1, perform="worker_tasks:perform", tier="bubblewrap")
    done = list(run_tasks([Impatient(("hang at many",)), Impatient(("add", 2))], config))
    assert [result for _, result in done] == [Slow(), 4]


@pytest.mark.slow
def test_a_worker_hangs_if_it_computes_for_too_long_and_not_if_it_waits():
    config = JudgeConfig(
        limits=Limits(grace_seconds=0.2), workers=1, perform="worker_tasks:perform", tier="bubblewrap"
    )
    found = dict(run_tasks([("wait",), ("compute",)], config))
    assert found == {("wait",): [], ("compute",): ["one"]}


def test_no_tasks_start_no_workers():
    assert list(run_tasks([], JudgeConfig(tier="bubblewrap"))) == []


@pytest.mark.slow
def test_a_worker_works_on_the_course_of_the_process_that_started_it(tmp_path, monkeypatch):
    course = shutil.copytree(TEMPLATE, tmp_path / "sorting")
    monkeypatch.setattr(paths, "_chosen", course)
    ((_, found),) = run_tasks(
        [("course",)], JudgeConfig(workers=1, perform="worker_tasks:perform", tier="bubblewrap")
    )
    assert found == (str(course), ["insert_sorted", "merge_sorted"], "merge_sorted")
