"""A real Dask cluster of three worker processes, one of which is killed in mid-run."""

from __future__ import annotations

import os
import shutil
import signal

import distributed
import pytest
from many_students import config_of, copy_course, outcome, write_students

from autograder.course.grade import grade
from autograder.course.new_course import TEMPLATE
from autograder.farm import dask_pool as module
from autograder.farm.config import Events, JudgeConfig
from autograder.farm.pool import run_tasks
from kqa_core.errors import UserError

pytestmark = pytest.mark.xdist_group("cluster")  # of one cluster
STUDENTS = 12


@pytest.fixture(scope="module")
def three_workers():
    made = distributed.LocalCluster(
        n_workers=3,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        scheduler_port=0,
        silence_logs=50,
    )
    yield made
    made.close()


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_gives_the_gradebook_of_one_machine(three_workers, tmp_path):
    course, folder = write_students(tmp_path / "class", STUDENTS)
    assert grade(config_of(course, folder)).differences == []
    far = copy_course(course, tmp_path / "notebooks")
    with distributed.Client(three_workers, set_as_default=False) as client:
        pids = client.run(os.getpid)
    assert len(set(pids.values())) == 3 and os.getpid() not in pids.values()
    seen = []

    def done(result):
        seen.append(result.student)
        if len(seen) == 3:
            os.kill(next(iter(pids.values())), signal.SIGKILL)

    graded = grade(
        config_of(far, folder, workers=None, scheduler=three_workers.scheduler_address), Events(done=done)
    )
    assert graded.differences == [] and sorted(seen) == [f"s{number:03}" for number in range(STUDENTS)]
    assert outcome(far) == outcome(course)


@pytest.mark.slow
def test_the_cluster_judges_with_the_checks_and_keys_of_the_coordinators_course(three_workers, tmp_path):
    course = shutil.copytree(TEMPLATE, tmp_path / "sorting")
    config = JudgeConfig(
        checks=course, perform="cluster_tasks:perform", scheduler=three_workers.scheduler_address
    )
    ((_, found),) = run_tasks([("course",)], config)
    assert found == (str(course), ["insert_sorted", "merge_sorted"])


@pytest.mark.slow
def test_a_task_that_dask_blames_for_a_killed_worker_is_handed_in_anew(three_workers, tmp_path, monkeypatch):
    # as with a scheduler on which nothing can be set
    monkeypatch.setattr(module, "_blame_no_task", lambda: None)
    monkeypatch.setattr(three_workers.scheduler, "allowed_failures", 0)
    tasks = [("kill worker", str(tmp_path / "killed"), 2), ("add", 4)]
    address = three_workers.scheduler_address
    found = dict(run_tasks(tasks, JudgeConfig(perform="cluster_tasks:perform", scheduler=address)))
    assert found == {tasks[0]: 2, tasks[1]: 8}


@pytest.mark.slow
def test_a_worker_with_other_sources_judges_nothing(three_workers, monkeypatch):
    monkeypatch.setattr(module, "code_digest", lambda *what: "0" * 32)
    with pytest.raises(UserError, match="install the same on every worker"):
        list(
            run_tasks(
                [("add", 1)],
                JudgeConfig(perform="cluster_tasks:perform", scheduler=three_workers.scheduler_address),
            )
        )


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:9", "tcp://no.such.host.invalid:8786", "nonsense", "tcp://127.0.0.1:port"]
)
def test_a_scheduler_that_cannot_be_reached_is_one_line(address, monkeypatch):
    monkeypatch.setattr(module, "CONNECT_SECONDS", 2)
    with pytest.raises(UserError, match="no Dask scheduler answers") as said:
        list(run_tasks([("add", 1)], JudgeConfig(tier="bubblewrap", scheduler=address)))
    assert "\n" not in str(said.value)
