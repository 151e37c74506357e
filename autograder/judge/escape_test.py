"""Trying to escape from the sandbox: `kqa doctor --sandbox` makes every attempt,
and each grading begins with a few of them.

- Each attempt is a cell that defines `attempt(told)`, which runs as a student's code does. It returns False
  or an empty list if it had no effect, and it may raise. Any other value is a way out.
- `told` holds what an attacker could know at best: the judge's files, ports and process number.
- Effects outside are looked for outside: whether a listener was reached, a file appeared, or the runner's
  processes are gone.
- An attempt that fails twice for another reason (the runner does not start, an error of the judge) counts as
  a way out. Failing once does not: a fork server that the machine kills for its memory is no fault of the
  sandbox.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from autograder.judge.escape_attempts import ATTEMPTS, QUICK
from autograder.judge.escape_cell import Attempt
from autograder.judge.session import RemoteAnswer, Session
from autograder.paths import ROOT
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.interface import Launcher
from autograder.sandbox.mounts import course_paths, interpreter_paths
from autograder.sandbox.tiers import best_tier, launcher_for
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.merge import GraftedCell
from kqa_core.check.answer import AnswerFailed

SHORT = Limits(call_seconds=8.0, cell_seconds=8.0, memory=300 * 2**20, disk=32 * 2**20, file=8 * 2**20)


@dataclass(frozen=True)
class Tried:
    """One attempt and its outcome."""

    name: str
    held: bool
    said: str  # what happened, for people


def quick_check(launcher: Launcher) -> None:
    """Raise InfrastructureError if the first runner of a launcher can see or reach what it should not."""
    with _bait() as bait:
        for attempt in QUICK:
            tried = _try(launcher, attempt, bait)
            if not tried.held:
                raise InfrastructureError(
                    f"the sandbox ({launcher.tier}) does not hold: {tried.name}: {tried.said}"
                )


def try_everything(launcher: Launcher) -> Iterator[Tried]:
    """Make every attempt, each in a fresh runner."""
    with _bait() as bait:
        for attempt in ATTEMPTS:
            if launcher.tier in attempt.beyond:
                continue
            yield _try(launcher, attempt, bait)


def report(as_json: bool = False, tier: str | None = None) -> int:
    """Make every attempt in a tier (default: the strongest) and print the outcomes.
    Returns 0 if the sandbox holds, else 1.
    """
    tier = tier or best_tier()
    tried: list[Tried] = []
    with (
        tempfile.TemporaryDirectory() as base,
        contextlib.closing(launcher_for(tier, SHORT, Path(base))) as launcher,
    ):
        for each in try_everything(launcher):
            tried.append(each)
            if not as_json:
                print(f"{'held' if each.held else 'BROKEN':6}  {each.name}: {each.said}", flush=True)
    broken = sum(not each.held for each in tried)
    if as_json:
        print(
            json.dumps(
                {"sandbox": tier, "holds": not broken, "tried": [asdict(each) for each in tried]}, indent=1
            )
        )
    else:
        verdict = "holds" if not broken else f"DOES NOT HOLD: {broken} ways out; do not grade with it"
        print(f"sandbox {tier}: {len(tried)} ways out tried, {verdict}")
    return int(bool(broken) or not tried)


@dataclass
class _Bait:
    """Files and listeners outside the sandbox, for an attempt to find."""

    folder: Path
    secret: str
    listener: socket.socket
    abstract: socket.socket

    def told(self, limits: Limits, secret: Sequence[Path]) -> dict[str, object]:
        """Everything that the attempts may know."""
        return {
            "disk": limits.disk,
            "file": limits.file,
            "folder": str(self.folder),
            "secret": self.secret,
            "port": self.listener.getsockname()[1],
            "abstract": self.abstract.getsockname().decode(errors="replace")[1:],
            "judge": os.getpid(),
            "course": str(ROOT),
            "hidden": [str(path) for path in secret],
            "shown": [*course_paths(), *interpreter_paths("")],
            "numbers": _numbers(secret),
        }

    def reached(self) -> str | None:
        """The effect that an attempt had on the bait; None for none."""
        for each in (self.listener, self.abstract):
            with contextlib.suppress(BlockingIOError):
                each.accept()[0].close()
                return "a listener of this machine was reached"
        if sorted(path.name for path in self.folder.iterdir()) != ["gradebook.db"]:
            return "a file appeared outside"
        if (self.folder / "gradebook.db").read_text() != self.secret:
            return "a file outside was changed"
        return None


def _numbers(secret: Sequence[Path]) -> list[list[int]]:
    """The device and the number of each file whose leak would be worst."""
    files = [path for path in secret if path.is_file()]
    for folder in secret:
        files += [folder / name for name in ("gradebook.db", ".course_key", "judged/ledger.db")]
        files += [*folder.glob("keys/*/*.*"), *folder.glob("notebooks/keys/*/*.*")]
    facts = [path.stat() for path in files if path.is_file()]
    return [[fact.st_dev, fact.st_ino] for fact in facts]


@contextlib.contextmanager
def _bait() -> Iterator[_Bait]:
    secret = secrets.token_hex(16)
    with tempfile.TemporaryDirectory(prefix="kqa-bait-") as folder, contextlib.ExitStack() as opened:
        Path(folder, "gradebook.db").write_text(secret)
        Path(folder).chmod(0o777)
        Path(folder, "gradebook.db").chmod(0o666)  # as open as a file can be: only the sandbox is between
        listener = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract = opened.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0kqa-{secret}")
        abstract.listen()
        for each in (listener, abstract):
            each.setblocking(False)
        yield _Bait(Path(folder), secret, listener, abstract)


def _try(launcher: Launcher, attempt: Attempt, bait: _Bait) -> Tried:
    try:
        try:
            held, said = _made(launcher, attempt, bait)
        except InfrastructureError:
            held, said = _made(launcher, attempt, bait)
    except InfrastructureError as error:
        held, said = False, f"could not be tried: {error}"
    return Tried(attempt.name, held, said)


def _made(launcher: Launcher, attempt: Attempt, bait: _Bait) -> tuple[bool, str]:
    """Make the attempt: whether the sandbox held, and what happened. Raises InfrastructureError."""
    held, said = _outcome(launcher, attempt.source, bait, attempt.seconds)
    reached = bait.reached()
    if reached is not None:
        return False, reached
    if held and attempt.leaves is not None:  # does the next runner find what it left behind?
        time.sleep(0.2)
        return _outcome(launcher, attempt.leaves, bait, SHORT.call_seconds)
    return held, said


def _outcome(launcher: Launcher, source: str, bait: _Bait, seconds: float) -> tuple[bool, str]:
    cells = [GraftedCell("solution", "code", source, "attempt")]
    with contextlib.closing(Session(launcher, cells, replace(SHORT, call_seconds=seconds))) as session:
        try:
            value = RemoteAnswer(session, "attempt")(bait.told(launcher.limits, launcher.secret))
        except AnswerFailed as failed:
            return True, failed.incident or str(failed)
    if value is False or value == []:
        return True, "had no effect"
    return False, f"got {value!r:.100}"
