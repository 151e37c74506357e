"""The memory of the trusted processes: the one that coordinates and publishes, and each worker.

What they read is made from students' work, so each has a limit of its own, whatever that work makes it do. A
MemoryError then costs one submission, and not the machine.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from autograder.runner.confine import written_memory

WORKER = 512 * 2**20  # bytes beyond what it holds when it starts to judge
COORDINATOR = 2048 * 2**20  # it keeps the results of a class


def limit_memory(more: int | None) -> None:
    """Let this process take so many bytes beyond what it holds now; None for no limit but the one that nobody
    may raise.
    """
    if sys.platform == "linux":
        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        soft = most if more is None else written_memory() + more
        resource.setrlimit(resource.RLIMIT_DATA, (soft if most < 0 else min(soft, most), most))


@contextmanager
def limited_memory(more: int) -> Iterator[None]:
    """`limit_memory` for the time of a block; then the limit is as it was."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    limit_memory(more)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)
