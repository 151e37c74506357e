"""What makes a fork of the fork server cheap."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder.runner.fork_server import _ForkServer

ENABLED = Path("/sys/kernel/mm/transparent_hugepage/enabled")
SIZE = 32 * 2**20
COLLAPSED = f"""
from pathlib import Path
from autograder.runner.fork_server import use_huge_pages

def huge():
    return int(Path("/proc/self/smaps_rollup").read_text().partition("AnonHugePages:")[2].split()[0]) * 1024

data = bytearray(b"k" * {SIZE})
before = huge()
use_huge_pages()
assert data == b"k" * {SIZE}
print(huge() - before)
"""


def has_huge_pages() -> bool:
    version = tuple(int(part) for part in os.uname().release.split(".")[:2])
    return version >= (6, 1) and ENABLED.is_file() and "[never]" not in ENABLED.read_text()


@pytest.mark.skipif(sys.platform != "linux" or not has_huge_pages(), reason="needs huge pages of Linux 6.1")
def test_the_memory_is_the_same_on_huge_pages():
    done = subprocess.run([sys.executable, "-c", COLLAPSED], capture_output=True, text=True, check=True)
    assert int(done.stdout) > SIZE // 2


@pytest.mark.slow
def test_a_runner_that_ends_has_taken_processor_time():
    server = object.__new__(_ForkServer)
    for seconds in (0.0, 0.5):  # the end of a fork of a large process takes less than half a second
        number = os.fork()
        if number == 0:
            os.setsid()
            while time.process_time() < seconds:
                pass
            os._exit(0)
        os.waitid(os.P_PID, number, os.WEXITED | os.WNOWAIT)
        server.children = {number}
        assert (server.release(number) >= 0.5) == (seconds > 0)
        assert server.children == set()
    assert server.release(number) == 0.0
