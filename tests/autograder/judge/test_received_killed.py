"""The store after a kill, beside another process, and where its manifest was damaged."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from test_received import NAMES, ONE, Class

from autograder.submissions.store import manifest
from autograder.submissions.student_names import MANIFEST
from kqa_core.errors import UserError


@pytest.fixture
def klass(tmp_path: Path) -> Class:
    return Class(tmp_path)


def test_half_a_line_at_the_end_is_dropped_and_written_again(klass):
    klass.hand_in("ann", "first")
    klass.hand_in("bob", "bob's")
    klass.receive(at=1.0)
    log = klass.store / MANIFEST
    whole = log.read_bytes()
    lines = whole.splitlines(keepends=True)
    for cut in (1, 2, len(lines[-1]) // 2, len(lines[-1]) - 1, len(lines[-1])):
        log.write_bytes(whole[:-cut])
        assert klass.one("ann").version == 1 and klass.one("bob").version == 0
        klass.receive(at=1.0)
        assert log.read_bytes() == whole


def test_a_damaged_line_in_the_middle_is_said_and_nothing_is_written(klass):
    klass.hand_in("ann", "first")
    klass.receive(at=1.0)
    log = klass.store / MANIFEST
    for damage in (
        b"{\n",
        b"[]\n",
        b'{"student": 3, "assignment": "", "received": 1}\n',
        b'{"student": "x"}\n',
    ):
        damaged = damage + log.read_bytes()
        log.write_bytes(damaged)
        for read in (klass.receive, lambda: manifest(klass.store, ONE)):
            with pytest.raises(UserError, match="line 1 is damaged"):
                read()
        assert log.read_bytes() == damaged
        log.write_bytes(damaged[len(damage) :])


CHILD = """
import sys
from pathlib import Path
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.store import receive
folder, store, *names = sys.argv[1:]
print("go", flush=True)
receive(Path(folder), Path(store), names, Limits())
"""


def child(klass: Class) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", CHILD, str(klass.folder), str(klass.store), *NAMES]
    started = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert started.stdout is not None
    assert started.stdout.readline() == b"go\n"
    return started


def assert_whole(klass: Class, texts: dict[str, str]) -> None:
    """Every student's every notebook is there once, as version 1, with the bytes that were handed in."""
    for name in NAMES:
        entries = manifest(klass.store, name)
        assert [each.student for each in entries] == sorted(texts)
        assert all(each.version == 1 and klass.text(each) == texts[each.student] for each in entries)
    lines = [json.loads(line) for line in (klass.store / MANIFEST).read_text().splitlines()]
    assert len(lines) == len(texts) * (1 + len(NAMES))
    assert len({(each["student"], each["assignment"]) for each in lines}) == len(lines)
    kept = {str(path.relative_to(klass.store)) for path in klass.store.rglob("*.ipynb")}
    assert kept == {each["file"] for each in lines if "file" in each}


def big_class(klass: Class, students: int) -> dict[str, str]:
    texts = {f"student{number:03}": f"{number} " * 2000 for number in range(students)}
    for student, text in texts.items():
        for name in NAMES:
            klass.hand_in(student, text, name)
    return texts


@pytest.mark.slow
def test_killed_at_any_moment_nothing_is_lost_and_nothing_double(klass):
    texts = big_class(klass, 60)
    chance = random.Random(3)
    log = klass.store / MANIFEST
    killed = 0
    for _ in range(15):
        size = log.stat().st_size if log.exists() else 0
        until = size + chance.randrange(1500)  # a student and their notebooks are some 500 bytes
        started = child(klass)
        while started.poll() is None and (log.stat().st_size if log.exists() else 0) <= until:
            pass
        started.kill()
        assert started.stdout is not None
        started.stdout.close()
        killed += started.wait() == -signal.SIGKILL
    klass.receive()
    assert_whole(klass, texts)
    assert killed > 3, f"only {killed} runs were killed before they were done"


@pytest.mark.slow
def test_two_processes_at_once_take_everything_in_once(klass):
    texts = big_class(klass, 40)
    both = [child(klass), child(klass)]
    for started in both:
        assert started.wait() == 0
        assert started.stdout is not None
        started.stdout.close()
    assert_whole(klass, texts)
