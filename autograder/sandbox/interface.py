"""What the judge asks of a sandbox: a `Launcher` that starts a `RunnerProcess`.
It does not know how one is made.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from autograder.runner.channel import Channel
from autograder.runner.confine import HOME
from autograder.sandbox.processes import Used
from autograder.sandbox.timeout_and_memory_limits import Limits


class Sandbox:
    """The confinement of a fork server."""

    tier: str
    # how runners are forked: "apart" in namespaces of their own, "alone" one for each fork server, "plain"
    mode: str
    secret: tuple[Path, ...] = ()  # what no runner may see, without links

    def command(self, program: list[str], directory: Path) -> list[str]:
        """The command that runs `program` in this sandbox; `directory` is the launcher's own."""
        raise NotImplementedError

    def home(self, directory: Path) -> str:
        """The home of a fresh runner, as the runner sees it:
        one path for all, each with its own folder behind it.
        """
        return HOME

    def scratch(self, disk: int) -> dict[str, int]:
        """The folders that a runner apart gets for itself, and how many bytes each holds."""
        return {}

    def clean_up(self) -> None:
        """Remove what the command left."""


class RunnerProcess(Protocol):
    """A running runner."""

    channel: Channel

    def resident(self) -> int:
        """Bytes of memory it and its children hold now, beyond what it started with; 0 if that is unknown."""

    def used(self) -> Used:
        """The time that it and its children have used and waited for the processor."""

    def kill(self) -> None:
        """Kill it and everything it started; `end` must still follow.
        May be called from another thread, before `end`.
        """

    def taken(self) -> bool:
        """Whether it was ended by something other than its own code. Call it before `end`."""

    def end(self) -> None:
        """Kill it and everything it started, and remove its directory. May be called twice."""


class Launcher(Protocol):
    """Starts runners."""

    tier: str
    limits: Limits
    secret: tuple[Path, ...]  # what no runner may see

    def start(self) -> RunnerProcess:
        """A fresh runner. Raises InfrastructureError if none can be started."""

    def close(self) -> None:
        """End what is still running."""
