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

import contextlib
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import numpy as np

from autograder.judge.budget import Limit, Meter, Reading
from autograder.judge.replies import read_reply
from autograder.judge.runner_watch import RunnerWatch
from autograder.runner.channel import ChannelClosed, ChannelTimeout, FrameTooLarge
from autograder.runner.notebook_parser import Refused
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.interface import Launcher, RunnerProcess
from autograder.sandbox.processes import Used
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.merge import GraftedCell
from kqa_core.check.answer import (
    AnswerDied,
    AnswerFailed,
    AnswerRaised,
    AnswerTimeout,
    AnswerUnreadable,
    ArgumentFailed,
    Build,
    Handle,
)
from kqa_core.check.codec import decode, encode
from kqa_core.check.codec_errors import CodecError, Foreign
from kqa_core.check.display import call_text
from kqa_core.check.exercise import JudgeError
from kqa_core.check.local import CALL_STEP

TOO_MUCH = "the runner passed its memory limit"
TAKEN = "a runner was killed from outside"
BUSY = "this machine is so busy that a runner could not work"
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
    """The runner of one submission. `outcomes` says how each cell ended: None for success, or the failure."""

    def __init__(
        self,
        launcher: Launcher,
        cells: Sequence[GraftedCell],
        limits: Limits,
        again: bool = False,
        reserved: Sequence[str] = (),
        until: float = float("inf"),
    ) -> None:
        self.cells, self.limits, self.reserved = tuple(cells), limits, reserved
        self.outcomes: dict[int, AnswerFailed | None] = {}
        self._until = until  # the end of the submission, on time.monotonic's clock
        # of exceptions, to the student: not in a hidden check, whose inputs they could hold
        self.shows_messages = True
        # a runner was killed from outside before: a second one is the submission's own doing
        self.again = again
        self._starts = 0
        self._launcher = launcher
        self._runner: RunnerProcess | None = None
        self._watch: RunnerWatch | None = None
        self._skipped: set[int] = set()
        self._call: Limit | None = None  # on the request that the runner has now
        self._exercise: Limit | None = None  # on all requests of one check
        self._set_time()

    def start(self) -> None:
        """If there is none, start a runner and run every cell. Raises OverBudget, InfrastructureError."""
        while self._runner is None:
            if self._starts > self.limits.restarts or self._is_over():
                raise OverBudget
            self._starts += 1
            self._runner = self._launcher.start()
            self._watch = RunnerWatch(self._runner, self.limits.memory, self._is_late)
            if self.reserved:
                self._reserve()
            self._run_cells()

    def renew(self, cells: Sequence[GraftedCell]) -> None:
        """Take other cells, with the time and restarts of a new session. A runner that is there goes on: it
        forgets its names and runs these cells. What earlier ones changed in a module stays.
        """
        self.cells, self.outcomes, self._skipped, self._starts = tuple(cells), {}, set(), 0
        self._set_time()
        self.shows_messages = True
        if self._runner is not None:
            try:
                self._exchange(encode(("cell", 0, FRESH_NAMES)), self.limits.cell_seconds, CELL_REPLY)
            except AnswerFailed:
                self.drop()
            else:
                self._run_cells()

    @contextlib.contextmanager
    def limited(self, seconds: float) -> Iterator[None]:
        """Let all requests of the block together take so many seconds."""
        self._exercise = Limit(seconds, self._read())
        try:
            yield
        finally:
            self._exercise = None

    def drop(self) -> None:
        """End the runner; the next request gets a fresh one."""
        if self._watch is not None:
            self._watch.stop()
            self._meter.add(self._watch.used)
            self._watch = None
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
        return self._exchange(message, seconds or self.limits.call_seconds)

    def _set_time(self) -> None:
        """Begin to count the submission's time."""
        self._meter = Meter()
        self._call = self._exercise = None
        self._whole = Limit(self.limits.submission_seconds, self._read())
        self._computed = time.process_time()
        self._end = min(self._until, time.monotonic() + self.limits.busy * self.limits.submission_seconds)

    def _read(self) -> Reading:
        return self._meter.read(Used() if self._watch is None else self._watch.used)

    def _is_over(self) -> bool:
        """Whether the submission's time is up: its runners', and the worker's, which computes for it."""
        computed = time.process_time() - self._computed
        return self._whole.left(self._read()) < computed or time.monotonic() > self._end

    def _is_late(self) -> bool:
        """Whether the request that the runner has now should have been answered."""
        call, now = self._call, self._read()
        if call is None:
            return False
        exercise = self._exercise
        return call.left(now) < 0 or (exercise is not None and exercise.left(now) < 0) or self._is_over()

    def _exchange(self, message: bytes, seconds: float, most: int | None = None) -> Any:
        """The value of one request, which may take so many seconds."""
        runner, watch = self._runner, self._watch
        assert runner is not None
        assert watch is not None
        self._meter.begin()
        self._call = call = Limit(seconds, self._read())
        deadline = min(time.monotonic() + self.limits.busy * seconds, self._end)
        try:
            runner.channel.send(message, deadline)
            reply = decode(runner.channel.receive(deadline, most))
            if watch.passed is not None:  # it is being killed, and was quicker
                raise ChannelClosed
            return read_reply(reply, self.cells, self.shows_messages)
        except AnswerFailed as failed:
            if failed.incident is not None and not isinstance(failed, AnswerUnreadable):
                self.drop()
            raise
        except (ChannelTimeout, ChannelClosed) as ended:
            watch.stop()
            closed = isinstance(ended, ChannelClosed) and watch.passed is None
            taken = closed and runner.taken()
            over, now = self._is_over(), self._read()
            self.drop()
            if watch.passed == "memory":  # a runner that gives back much memory may take long to end
                raise AnswerDied(TOO_MUCH, "memory") from None
            if over:
                raise OverBudget from None
            if watch.passed == "time":
                raise AnswerTimeout("no value in time", call.struck(now)) from None
            if (taken or not closed) and not self.again:
                raise InfrastructureError(TAKEN if closed else BUSY) from None
            if not closed:
                raise AnswerTimeout("no value in time", "wall") from None
            raise AnswerDied("the runner ended") from None
        except (FrameTooLarge, CodecError) as error:
            self.drop()
            raise AnswerUnreadable(str(error)) from None
        # such as the worker's time limit: the next reply on this channel would be the late one
        except BaseException:
            self.drop()
            raise
        finally:
            self._call = None
            self._meter.end()

    def _run_cells(self) -> None:
        """Run the cells in a fresh runner. After an incident there is no runner,
        and the cell is skipped the next time.
        """
        extras = Limit(self.limits.extras_seconds, self._read())
        for number, cell in enumerate(self.cells):
            extra = cell.role == "extra"
            if number in self._skipped or (extra and extras.left(self._read()) < 0):
                continue
            seconds = self.limits.extra_seconds if extra else self.limits.cell_seconds
            try:
                self._exchange(encode(("cell", number, cell.source)), seconds, CELL_REPLY)
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
            self._exchange(encode(("reserve", list(self.reserved))), self.limits.cell_seconds)
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
        self.gave_none = False  # whether a call has returned None

    def __call__(self, *args: object) -> object:
        """The value of one call; a failure is raised."""
        with self._naming([args]):
            value: object = self._session.request("call", self._name, self._next(), args)
        self.gave_none |= value is None
        return value

    def map(self, calls: Sequence[tuple[object, ...]]) -> list[object]:
        """The values of many calls in one round trip; the first failure is raised."""
        with self._naming(calls):
            values = self._session.request(
                "map", self._name, self._next(len(calls)), [tuple(args) for args in calls]
            )
        if type(values) is not list or len(values) != len(calls):
            raise AnswerUnreadable("not one value a call")
        self.gave_none |= any(value is None for value in values)
        return values

    def rewind(self, count: int) -> None:
        """Let the next `count` calls see the same global random numbers as the last `count`."""
        self._calls -= count

    def attribute(self, handle: Handle | Build, name: str) -> object:
        """`getattr` on a result that came back as a handle."""
        self._next()
        return self._session.request("attribute", handle, name)

    def method(self, handle: Handle | Build, name: str, *args: object) -> object:
        """Call a method of a result that came back as a handle."""
        return self._session.request("method", handle, name, self._next(), args)

    @contextlib.contextmanager
    def _naming(self, calls: Sequence[tuple[object, ...]]) -> Iterator[None]:
        """Name the call that raised, in the visible check: its inputs may be shown, those of the hidden one
        never.
        """
        try:
            yield
        except ArgumentFailed:
            raise
        except AnswerRaised as raised:
            if self._session.shows_messages and 0 <= raised.number < len(calls):
                raised.call = call_text(self._name, calls[raised.number])
            raise

    def _next(self, count: int = 1) -> int:
        seed = self._seed + CALL_STEP * self._calls
        self._calls += count
        return seed
