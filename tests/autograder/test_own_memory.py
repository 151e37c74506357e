"""The limit of the coordinator's memory holds while it works, and no longer."""

from __future__ import annotations

import resource
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
    with limited_memory(2**20), pytest.raises(MemoryError):
        bytearray(2**28)
    assert len(bytearray(2**28)) == 2**28
