"""One runner, seen from the judge: what it holds and uses, and its end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
from typing import Protocol

from autograder.runner.channel import Channel
from autograder.sandbox.control_group import ControlGroup
from autograder.sandbox.interface import Sandbox
from autograder.sandbox.processes import (
    Used,
    mapped,
    page_tables,
    process_of,
    proportional,
    resident,
    shared_memory,
    socket_memory,
    tree,
    used,
)
from autograder.sandbox.timeout_and_memory_limits import Limits


class Owner(Protocol):
    """The launcher whose fork server has forked it."""

    limits: Limits
    sandbox: Sandbox

    def killed(self, pid: int) -> bool:
        """Whether a runner that has ended was killed."""

    def release(self, pid: int) -> None:
        """Kill one runner and everything it started."""


class ForkedRunner:
    """A fork of the fork server, seen from the judge.

    `number` is its process number inside the sandbox. The process descriptor says which process of this
    machine that is, in the kernel's own word.
    """

    def __init__(
        self,
        launcher: Owner,
        number: int,
        channel: Channel,
        directory: str | None,
        descriptors: list[int],
    ) -> None:
        self.channel, self.number = channel, number
        self._launcher, self._directory = launcher, directory
        self._descriptor = descriptors[0] if descriptors else None
        self._ended = False
        self.pid = number if self._descriptor is None else process_of(self._descriptor)
        self._base, self._mapped = resident(self.pid), mapped(self.pid)
        self._group: ControlGroup | None = None

    def enclose(self) -> None:
        """Put it into a control group of its own, where this machine allows one."""
        if self.pid:
            self._group = ControlGroup.around(self.pid, self._launcher.limits.memory)

    def resident(self) -> int:
        """Bytes of memory it and its children hold now, beyond what the fork started with;
        0 if that is unknown.

        In a group of its own it is the kernel that counts, and that enforces the limit. Else pages that are
        shared count in proportion. That takes long to measure, so it is done only near the limit, as is
        looking for shared memory that is resident nowhere, and for the tables of memory that was only read.
        """
        limit = self._launcher.limits.memory
        if self._group is not None:
            return sys.maxsize if self._group.over() else self._group.held()
        pids = tree(self.pid)
        held = max(0, sum(resident(pid) for pid in pids) - self._base)
        kernels = socket_memory(self.pid)
        if held > limit:
            # what the fork started with is shared by all of them and the fork server
            shared = self._base * len(pids) // (len(pids) + 1)
            return kernels + max(0, sum(proportional(pid) for pid in pids) - shared)
        if any(mapped(pid) > self._mapped + limit for pid in pids):
            return kernels + max(held, shared_memory(pids)) + page_tables(pids)
        return kernels + held

    def used(self) -> Used:
        """The time that it and its children have used and waited for the processor."""
        seen = used(tree(self.pid))
        counted = None if self._group is None else self._group.processor()
        return seen if counted is None else seen._replace(processor=counted)

    def kill(self) -> None:
        """Kill it; in a namespace of its own, everything it started ends with it, else its process group."""
        if self._descriptor is not None:
            with contextlib.suppress(OSError):  # it may be gone
                signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)
        if self._launcher.sandbox.mode == "plain":
            with contextlib.suppress(OSError):
                os.killpg(self.number, signal.SIGKILL)

    def taken(self) -> bool:
        """Whether it was killed from outside. The first process of a namespace cannot be killed from within,
        not even by itself; a runner that is not apart can, and its fork server too.
        """
        return self._launcher.sandbox.mode == "apart" and self._launcher.killed(self.number)

    def end(self) -> None:
        """Kill it and everything it started, and remove its directory. May be called twice."""
        if self._ended:
            return
        self._ended = True
        self.channel.close()
        if self._descriptor is not None:
            with contextlib.suppress(OSError):  # it may be gone
                signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)
            os.close(self._descriptor)
        self._launcher.release(self.number)
        if self._group is not None:
            self._group.close()
        if self._directory is not None:
            shutil.rmtree(self._directory, ignore_errors=True)
