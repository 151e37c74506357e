"""A student's progress, kept in one file.

- The file is `.kqa/progress.json`. It is in the folder `$KQA_FOLDER` if that is set (a hub sets `~/.kqa`).
  Else it is in the nearest `.kqa` of the working directory or the two folders above it, so that all notebooks
  of one working copy share it; else beside the notebook.
- Minutes are the time between one check or hint and the next, in any notebook. All notebooks share one clock,
  so that two open notebooks do not count a minute twice. The time goes to the exercise of the later check or
  hint. A pause longer than `PAUSE` counts as `PAUSE`, because nobody can see whether you were thinking or
  away. The first check or hint ever counts no time.
- *Best* and *last* are both kept: an exercise that was right once stays done when the student breaks it on
  purpose later.
- Every change reads the file, changes it and writes it atomically under a lock, so two open notebooks lose
  nothing.
- A file that cannot be read is renamed, never overwritten, and the student gets a notice.
- Inside nbgrader (validate, autograde) nothing is written, because a grading run is not an attempt by the
  student.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from kqa_core.check.exercise import Outcome
from kqa_core.files import locked, write_whole

FORMAT = 1
STORED = "progress.json"
PAUSE = 600  # seconds
RANK = {Outcome.UNATTEMPTED: 0, Outcome.ERROR: 1, Outcome.NOT_YET: 2, Outcome.RIGHT: 3}


@dataclass
class Record:
    """The record of one exercise."""

    best: Outcome = Outcome.UNATTEMPTED
    last: Outcome = Outcome.UNATTEMPTED
    tries: int = 0  # checks of something other than the stub
    hints: int = 0  # how many of the three hints were shown, 0..3
    # When and how long: two records are equal if the student's state is the same, however long it took.
    seconds: float = field(default=0.0, compare=False)
    # of the last check or hint, in seconds since 1970; 0: never
    at: float = field(default=0.0, compare=False)


def folder() -> Path:
    """The `.kqa` folder that belongs to the working directory. It need not exist yet."""
    if named := os.environ.get("KQA_FOLDER"):
        return Path(named).expanduser()
    here = Path.cwd()
    for place in (here, *here.parents[:2]):
        if (place / ".kqa").is_dir():
            return place / ".kqa"
    return here / ".kqa"


class ProgressStore:
    """Reads and changes the records in one folder."""

    def __init__(self, place: Path | None = None) -> None:
        self.place = place if place is not None else folder()
        self.path = self.place / STORED
        self.notices: list[str] = []  # one line each, for the student; emptied when they are shown

    def read(self) -> dict[str, Record]:
        """Every record. A damaged file is set aside (a line in `notices` names it) and counts as empty."""
        try:
            return self._load()
        except OSError as problem:
            self.notices.append(f"progress cannot be read from {self.path}: {problem.strerror}")
            return {}

    def note_check(self, exercise: str, outcome: Outcome) -> None:
        """Record the outcome of one check."""

        def alter(record: Record) -> None:
            record.last = outcome
            record.best = max(record.best, outcome, key=RANK.__getitem__)
            record.tries += outcome is not Outcome.UNATTEMPTED

        self._change(exercise, alter)

    def take_hint(self, exercise: str, rungs: int, rung: int | None = None) -> int:
        """Count the next hint, or hint `rung`; its number, 1..rungs (after the last, the last again)."""

        def alter(record: Record) -> None:
            record.hints = min(record.hints + 1, rungs) if rung is None else max(record.hints, rung)

        taken = self._change(exercise, alter).hints
        return taken if rung is None else rung

    def forget(self, exercise: str) -> None:
        """Set back to unattempted: no outcome, tries or hints. The minutes stay, because they were spent."""

        def alter(record: Record) -> None:
            record.best = record.last = Outcome.UNATTEMPTED
            record.tries = record.hints = 0

        self._change(exercise, alter)

    def _change(self, exercise: str, alter: Callable[[Record], None]) -> Record:
        """Change one record in the file. If the file cannot be written,
        change a new record and say so in `notices`.
        """
        record = Record()
        if "NBGRADER_EXECUTION" not in os.environ:
            try:
                # none on Windows: of two writes in the same instant one may be lost
                with locked(self.place / "lock"):
                    records = self._load()
                    record = records.setdefault(exercise, record)
                    _clock(record, records)
                    alter(record)
                    self._write(records)
                    return record
            except OSError as problem:
                self.notices.append(
                    f"progress cannot be kept in {self.place} ({problem.strerror}): make that folder writable"
                )
                record = Record()
        alter(record)
        return record

    def _load(self) -> dict[str, Record]:
        try:
            return _decoded(json.loads(self.path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return {}
        # UnicodeDecodeError is a ValueError
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return self._set_aside()

    def _write(self, records: dict[str, Record]) -> None:
        content = {
            "format": FORMAT,
            "exercises": {name: asdict(record) for name, record in sorted(records.items())},
        }
        write_whole(self.path, json.dumps(content, indent=1) + "\n", mode=0o600)

    def _set_aside(self) -> dict[str, Record]:
        number = 1
        while (aside := self.path.with_name(f"{STORED}.damaged-{number}")).exists():
            number += 1
        try:
            self.path.rename(aside)
            self.notices.append(
                f"{self.path.name} could not be read; it is kept as {aside} and a new progress file is"
                " started"
            )
        except FileNotFoundError:
            pass  # another notebook has just set it aside
        return {}


def _clock(record: Record, records: dict[str, Record]) -> None:
    """Count the time since the last check or hint anywhere. If the clock was set back, count nothing."""
    now = time.time()
    before = max(each.at for each in records.values())
    if before:
        record.seconds += min(PAUSE, max(0.0, now - before))
    record.at = max(now, before)


def _decoded(content: dict[str, object]) -> dict[str, Record]:
    if content["format"] != FORMAT:
        raise ValueError("unknown format")
    exercises = content["exercises"]
    if not isinstance(exercises, dict):
        raise TypeError("exercises is not a mapping")
    records = {}
    for name, fields in exercises.items():
        tries, hints = fields["tries"], fields["hints"]
        if not isinstance(tries, int) or not isinstance(hints, int):
            raise TypeError("counts are whole numbers")
        # older files do not have them
        seconds, at = (float(fields.get(each, 0.0)) for each in ("seconds", "at"))
        if not (math.isfinite(seconds) and math.isfinite(at)):
            raise ValueError("times are finite")
        records[name] = Record(Outcome(fields["best"]), Outcome(fields["last"]), tries, hints, seconds, at)
    return records
