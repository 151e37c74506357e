"""One submission's runner, seen from the judge:
it runs cells, calls functions, and gets a fresh runner after every incident.

- An incident (time, memory, output, died) costs only the cell or exercise in which it happened. The runner is
  killed, the next request gets a new one, and the cells run again without the one that failed.
- A submission has a budget: seconds for everything together, and a number of restarts. Exercises that come
  after it have the incident "budget", so that one submission cannot hold a place for long.
- `RemoteAnswer` is the `Answer` that a check receives. Every reply is decoded as a value. Text that the
  student's code made (exception messages, output) never reaches the judge.
"""

from __future__ import annotations

import builtins
import time
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np

from autograder.judge.memory_watch import MemoryWatch
from autograder.runner.channel import ChannelClosed, ChannelTimeout, FrameTooLarge
from autograder.runner.notebook_parser import Refused
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.interface import Launcher, RunnerProcess
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.merge import GraftedCell
from kqa_core.check.answer import (
    AnswerDied,
    AnswerFailed,
    AnswerMissing,
    AnswerRaised,
    AnswerTimeout,
    AnswerUnreadable,
    ArgumentFailed,
    Handle,
)
from kqa_core.check.codec import decode, encode
from kqa_core.check.codec_errors import CodecError, Foreign
from kqa_core.check.exercise import JudgeError
from kqa_core.check.local import CALL_STEP

RAISED = [[str, stub, str, int, int] for stub in (str, type(None))]  # the types of what follows "raised"
KINDS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)

TOO_MUCH = "the runner passed its memory limit"
# bytes of the reply to a cell, which says how it ended; it is read outside the clock of an exercise
CELL_REPLY = 2**16
FRESH_NAMES = "%reset -f"  # IPython's own: the names of a shell that has run nothing

UNREADABLE = {
    "time": "the notebook takes too long to read; save it with Jupyter and submit it again",
    "memory": "the notebook takes too much memory to read; save it with Jupyter and submit it again",
    "output": "the notebook holds too much text; clear what is not needed and submit it again",
    "died": "the notebook cannot be read; save it with Jupyter and submit it again",
}


class OverBudget(AnswerFailed):
    """The submission has used up its time, or its restarts."""

    incident = "budget"


class Session:
    """The runner of one submission. `outcomes` says how each cell ended:
    None for success, else the failure.
    """

    def __init__(
        self,
        launcher: Launcher,
        cells: Sequence[GraftedCell],
        limits: Limits,
        again: bool = False,
        reserved: Sequence[str] = (),
    ) -> None:
        self.cells, self.limits, self.reserved = tuple(cells), limits, reserved
        self.outcomes: dict[int, AnswerFailed | None] = {}
        self.deadline = float("inf")  # of the exercise being judged, on time.monotonic's clock
        self.until = time.monotonic() + limits.submission_seconds
        # of exceptions, to the student: not in a hidden check, whose inputs they could hold
        self.shows_messages = True
        # a runner was killed from outside before: a second one is the submission's own doing
        self.again = again
        self._starts = 0
        self._launcher = launcher
        self._runner: RunnerProcess | None = None
        self._memory: MemoryWatch | None = None
        self._skipped: set[int] = set()

    def start(self) -> None:
        """Start a runner and run every cell in it, if there is none.
        Raises OverBudget, InfrastructureError.
        """
        while self._runner is None:
            if self._starts > self.limits.restarts or time.monotonic() > self.until:
                raise OverBudget
            self._starts += 1
            self._runner = self._launcher.start()
            self._memory = MemoryWatch(self._runner, self.limits.memory)
            if self.reserved:
                self._reserve()
            self._run_cells()

    def renew(self, cells: Sequence[GraftedCell]) -> None:
        """Take other cells, with the time and restarts of a new session. A runner that is there goes on: it
        forgets its names and runs these cells. What earlier ones changed in a module stays.
        """
        self.cells, self.outcomes, self._skipped, self._starts = tuple(cells), {}, set(), 0
        self.deadline, self.until = float("inf"), time.monotonic() + self.limits.submission_seconds
        self.shows_messages = True
        if self._runner is not None:
            deadline = time.monotonic() + self.limits.cell_seconds
            try:
                self._exchange(encode(("cell", 0, FRESH_NAMES)), deadline, CELL_REPLY)
            except AnswerFailed:
                self.drop()
            else:
                self._run_cells()

    def drop(self) -> None:
        """End the runner; the next request gets a fresh one."""
        if self._memory is not None:
            self._memory.stop()
            self._memory = None
        if self._runner is not None:
            self._runner.end()
            self._runner = None

    def close(self) -> None:
        """End the runner for good."""
        self.drop()

    def cell_failure(self, exercise: str) -> AnswerFailed | None:
        """How the solution cell of an exercise failed, if it did."""
        for number, cell in enumerate(self.cells):
            if cell.grade_id == exercise:
                return self.outcomes.get(number)
        return None

    def request(self, *parts: object, seconds: float | None = None) -> Any:
        """The value of one request. Raises AnswerFailed; after an incident the runner is gone."""
        try:
            message = encode(parts, arguments=True)
        except Foreign as error:
            raise JudgeError(
                f"a check passes an argument that cannot be sent to the runner: {error}"
            ) from None
        self.start()
        deadline = min(time.monotonic() + (seconds or self.limits.call_seconds), self.deadline, self.until)
        return self._exchange(message, deadline)

    def _exchange(self, message: bytes, deadline: float, most: int | None = None) -> Any:
        runner, memory = self._runner, self._memory
        assert runner is not None
        assert memory is not None
        try:
            runner.channel.send(message, deadline)
            reply = decode(runner.channel.receive(deadline, most))
            return _read_reply(reply, self.cells, self.shows_messages)
        except AnswerFailed as failed:
            if failed.incident is not None and not isinstance(failed, AnswerUnreadable):
                self.drop()
            raise
        except ChannelTimeout:
            self.drop()
            if memory.passed:  # a runner that gives back much memory may take until the deadline to end
                raise AnswerDied(TOO_MUCH, "memory") from None
            if time.monotonic() >= self.until:
                raise OverBudget from None
            raise AnswerTimeout("no value within the deadline") from None
        except ChannelClosed:
            taken = runner.taken()
            self.drop()
            if memory.passed:
                raise AnswerDied(TOO_MUCH, "memory") from None
            if taken and not self.again:
                raise InfrastructureError("a runner was killed from outside") from None
            raise AnswerDied("the runner ended") from None
        except (FrameTooLarge, CodecError) as error:
            self.drop()
            raise AnswerUnreadable(str(error)) from None
        # such as the worker's time limit: the next reply on this channel would be the late one
        except BaseException:
            self.drop()
            raise

    def _run_cells(self) -> None:
        """Run the cells in a fresh runner. After an incident there is no runner,
        and the cell is skipped the next time.
        """
        extras_until = time.monotonic() + self.limits.extras_seconds
        for number, cell in enumerate(self.cells):
            if number in self._skipped or (cell.role == "extra" and time.monotonic() > extras_until):
                continue
            seconds = self.limits.extra_seconds if cell.role == "extra" else self.limits.cell_seconds
            try:
                self._exchange(
                    encode(("cell", number, cell.source)),
                    min(time.monotonic() + seconds, self.until),
                    CELL_REPLY,
                )
                self.outcomes[number] = None
            except AnswerFailed as failed:
                self.outcomes[number] = failed
                if cell.role == "setup" and not any(other.role != "setup" for other in self.cells[:number]):
                    raise InfrastructureError(f"a setup cell of the course failed: {failed}") from None
                if failed.incident is not None:
                    self.drop()
                    self._skip(number)
                    return

    def _reserve(self) -> None:
        try:
            self._exchange(
                encode(("reserve", list(self.reserved))), time.monotonic() + self.limits.cell_seconds
            )
        except AnswerFailed as failed:
            raise InfrastructureError(
                f"a runner could not reserve {', '.join(self.reserved)}: {failed}"
            ) from None

    def _skip(self, number: int) -> None:
        """Skip a cell from now on. Instead of a setup cell,
        the student's own cells before it are skipped first.
        """
        before = {other for other in range(number) if self.cells[other].role == "extra"} - self._skipped
        self._skipped |= before if self.cells[number].role == "setup" and before else {number}


def parsed(launcher: Launcher, data: bytes, limits: Limits) -> object:
    """A fresh runner's reply to the bytes of a notebook: its cells, or the reason for refusing it.

    Raises Refused if there is no reply, and InfrastructureError.
    """
    with closing(Session(launcher, (), limits)) as session:
        try:
            return session.request("parse", np.frombuffer(data, dtype=np.uint8), seconds=limits.cell_seconds)
        except AnswerFailed as failed:
            raise Refused(UNREADABLE.get(failed.incident or "", UNREADABLE["died"])) from None


class RemoteAnswer:
    """A function in the runner, as an `Answer`.
    The n-th call sees the same global random numbers as in `LocalAnswer`.
    """

    def __init__(self, session: Session, name: str, seed: int = 0) -> None:
        self._session, self._name, self._seed = session, name, seed
        self._calls = 0

    def __call__(self, *args: object) -> object:
        """The value of one call; a failure is raised."""
        return self._session.request("call", self._name, self._next(), args)

    def map(self, calls: Sequence[tuple[object, ...]]) -> list[object]:
        """The values of many calls in one round trip; the first failure is raised."""
        values = self._session.request(
            "map", self._name, self._next(len(calls)), [tuple(args) for args in calls]
        )
        if type(values) is not list or len(values) != len(calls):
            raise AnswerUnreadable("not one value a call")
        return values

    def rewind(self, count: int) -> None:
        """Let the next `count` calls see the same global random numbers as the last `count`."""
        self._calls -= count

    def attribute(self, handle: Handle, name: str) -> object:
        """`getattr` on a result that came back as a handle."""
        self._next()
        return self._session.request("attribute", handle, name)

    def method(self, handle: Handle, name: str, *args: object) -> object:
        """Call a method of a result that came back as a handle."""
        return self._session.request("method", handle, name, self._next(), args)

    def _next(self, count: int = 1) -> int:
        seed = self._seed + CALL_STEP * self._calls
        self._calls += count
        return seed


def _read_reply(reply: object, cells: Sequence[GraftedCell], shows_messages: bool) -> object:
    """The value of a reply. Raises AnswerFailed.

    Its `stub` is an exercise of `cells`, and its line is looked up there: the runner says only which one it
    is.
    """
    if type(reply) is tuple and reply:
        kind, *rest = reply
        if kind == "value" and len(rest) == 1:
            return rest[0]
        if kind == "missing":
            raise AnswerMissing("no such name")
        if kind == "unreadable":
            raise AnswerUnreadable("the value is too large")
        if kind in ("raised", "unbuilt") and [type(part) for part in rest] in RAISED:
            name, stub, message, cell, line = rest
            if not any(stub == each.grade_id for each in cells):
                stub = None
            failed = AnswerRaised if kind == "raised" else ArgumentFailed
            raise failed(
                name if name in KINDS else "Exception",
                message if shows_messages else "",
                stub,
                _line(cells, cell, line),
            )
    raise AnswerDied("the runner broke the protocol")


def _line(cells: Sequence[GraftedCell], cell: int, line: int) -> str:
    """Such as "line 2 of its cell: return q / n"; empty where there is no such line."""
    lines = cells[cell].source.splitlines() if 0 <= cell < len(cells) else []
    return f"line {line} of its cell: {lines[line - 1].strip()}" if 0 < line <= len(lines) else ""
