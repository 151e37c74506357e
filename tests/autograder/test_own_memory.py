"""The limit of the coordinator's memory holds while it works, and no longer."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

from autograder.grading.own_memory import COORDINATOR, limited_memory
from autograder.runner.confine import written_memory

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this limit")


def test_a_limit_ends_with_its_block_whatever_happens_in_it():
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(KeyError), limited_memory(COORDINATOR):
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        assert 0 < soft <= written_memory() + COORDINATOR and hard == before[1]
        raise KeyError
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


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
