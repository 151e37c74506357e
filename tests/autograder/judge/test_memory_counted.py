"""Memory that a runner's processes share, or that the kernel holds for it, counts:
in a control group and without one. The coordinator has a limit, too.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_course import LIMITS

from autograder.grading.own_memory import COORDINATOR, limited_memory
from autograder.judge.session import RemoteAnswer, Session
from autograder.runner.confine import written_memory
from autograder.sandbox import forked_runner
from autograder.sandbox.control_group import NAME, ControlGroup, _own
from autograder.submissions.merge import GraftedCell
from kqa_core.check.answer import (
    AnswerDied,
)

MIB = 2**20
SHARES = """
import mmap, os, time
def fill(size):
    held = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for at in range(0, size, 4096):
        held[at] = 1
    return held
def pair(size, seconds):
    if os.fork() == 0:
        held = fill(size)
        if os.fork() == 0:
            time.sleep(60)
        time.sleep(60)
    time.sleep(seconds)
    return "done"
def reads(size, seconds):
    held = fill(size)
    for _ in range(6):
        if os.fork() == 0:
            time.sleep(60)
    time.sleep(seconds)
    return "done"
def asks(name, *arguments):
    import ctypes
    arguments = [each.encode() if isinstance(each, str) else each for each in arguments]
    return getattr(ctypes.CDLL(None), name)(*arguments)
"""


@pytest.fixture(params=["a group", "no group"])
def counted(request, monkeypatch):
    """Both ways of counting."""
    if request.param == "no group":
        monkeypatch.setattr(forked_runner.ControlGroup, "around", lambda pid, limit: None)
    elif not _own("memory") or not os.access(_own("memory")[0], os.W_OK):
        pytest.skip("this user may make no control group here")


@pytest.fixture
def call(launcher):
    def run(name, *arguments):
        cell = GraftedCell("solution", "code", SHARES, name)
        with closing(Session(launcher, [cell], replace(LIMITS, call_seconds=60.0))) as session:
            return RemoteAnswer(session, name)(*arguments)

    return run


@pytest.mark.slow
def test_memory_that_two_children_share_counts_as_the_runners(counted, call):
    with pytest.raises(AnswerDied) as failed:
        call("pair", 3 * LIMITS.memory // 2, 50.0)
    assert failed.value.incident == "memory"


@pytest.mark.slow
def test_memory_that_children_share_with_the_runner_counts_once(counted, call):
    assert call("reads", LIMITS.memory // 2, 0.5) == "done"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("semget", (0, 32000, 0o1600)),
        ("msgget", (0, 0o1600)),
        ("shmget", (0, 4096, 0o1600)),
        ("mq_open", ("/kqa", 0o102, 0o600, 0)),
    ],
)
def test_objects_of_the_kernel_that_belong_to_no_process_are_refused(call, name, arguments):
    assert call("asks", name, *arguments) == -1


@pytest.mark.slow
def test_a_group_goes_with_its_runner(launcher):
    places = _own("memory")
    if not places or not os.access(places[0], os.W_OK):
        pytest.skip("this user may make no control group here")
    mine = f"{NAME}{os.getpid()}-*"
    before = sorted(places[0].glob(mine))
    runner = launcher.start()
    assert len(sorted(places[0].glob(mine))) == len(before) + 1
    assert runner.used().processor >= 0.0 and 0 <= runner.resident() < LIMITS.memory
    runner.end()
    assert sorted(places[0].glob(mine)) == before


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


def test_what_a_group_of_version_2_says_is_read(tmp_path):
    said = {
        "memory__current": f"{100 * MIB}",
        "memory__stat": f"anon {50 * MIB}\ninactive_file {10 * MIB}\nactive_file {5 * MIB}\n",
        "memory__events": "low 0\nhigh 0\nmax 3\noom 1\noom_kill 1\n",
        "cpu__stat": "usage_usec 1500000\nuser_usec 1000000\n",
    }
    group = ControlGroup(written(tmp_path, **said), tmp_path)
    assert (group.held(), group.over(), group.processor()) == (85 * MIB, True, 1.5)
    (tmp_path / "memory.events").write_text("max 0\noom_kill 1\n")  # the machine, or a group above, was full
    assert not group.over()


def test_what_a_group_of_version_1_says_is_read(tmp_path):
    said = {
        "memory__usage_in_bytes": f"{100 * MIB}",
        "memory__stat": f"cache 5\ntotal_inactive_file {10 * MIB}\ntotal_active_file {5 * MIB}\n",
        "memory__oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n",
        "memory__max_usage_in_bytes": f"{200 * MIB}",
        "memory__limit_in_bytes": f"{200 * MIB}",
        "cpuacct__usage": "2500000000",
    }
    group = ControlGroup(written(tmp_path, **said), tmp_path)
    assert (group.held(), group.over(), group.processor()) == (85 * MIB, True, 2.5)
    (tmp_path / "memory.limit_in_bytes").write_text(f"{900 * MIB}")
    assert not group.over()
    for name in ("memory.oom_control", "memory.limit_in_bytes"):
        (tmp_path / name).unlink()
    assert not group.over()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this limit")
def test_a_limit_ends_with_its_block_whatever_happens_in_it():
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(KeyError), limited_memory(COORDINATOR):
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        assert 0 < soft <= written_memory() + COORDINATOR and hard == before[1]
        raise KeyError
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this limit")
def test_more_than_the_limit_is_a_memory_error():
    """In a new process: this one may hold as much freed memory, which needs no request to the system."""
    code = """
from autograder.grading.own_memory import limited_memory
try:
    with limited_memory(2**20):
        bytearray(2**28)
except MemoryError:
    print("MemoryError", len(bytearray(2**28)) == 2**28)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "MemoryError True\n"
