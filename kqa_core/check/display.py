"""How outcomes are displayed: one line for a check, a table for progress.

- A check prints one line, the same in each run, so that a saved notebook can be compared with a new run.
- A failure is an exception (so that Run All and nbgrader see it) which shows our line and no traceback of
  ours. If the student's own function raised, the line of *their* cell where it happened is shown under ours.
- The table is text; in a notebook it is also an HTML table with a caption and row headers, for people and for
  screen readers.
"""

from __future__ import annotations

import linecache
import math
import re
import sys
import traceback
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType

from kqa_core.check.answer import Build, Handle, Seeded
from kqa_core.check.exercise import Exercise, Outcome, Verdict, observed_more
from kqa_core.check.progress_store import Record
from kqa_core.check.written import is_empty, mark_given

SHOWN_ENTRIES, SHOWN_LETTERS = 6, 80  # of an argument in a message
HEADS = ("exercise", "state", "points", "tries", "hints")
STATES = {
    Outcome.RIGHT: "done",
    Outcome.NOT_YET: "not yet",
    Outcome.ERROR: "error",
    Outcome.UNATTEMPTED: "unattempted",
}


class OneLine(Exception):
    """An exception that a notebook shows as its message and nothing else."""

    def _render_traceback_(self) -> list[str]:
        """The lines that IPython shows instead of a traceback."""
        return str(self).splitlines()


def points_text(exercise: Exercise) -> str:
    """Such as "4 points", "1 point", "2 points extra", "3 points: 2 for forward, 1 for backward"."""
    each = ", ".join(f"{points} for {name}" for name, points in exercise.parts.items())
    return (
        f"{exercise.points}"
        f" point{'' if exercise.points == 1 else 's'}{' extra' if exercise.extra else ''}"
        f"{each and ': ' + each}"
    )


def right_text(exercise: Exercise, sentence: str) -> str:
    """The words for an answer that passes the notebook's check: *right* only if it decides everything."""
    why = "" if sentence == "right" else f": {sentence}"
    if not exercise.decided_later:
        return f"right{f' ({points_text(exercise)})' if exercise.points else ''}{why}"
    later, points = exercise.later_points, exercise.points
    share = f"{later} of {points} points {'is' if later == 1 else 'are'}" if later else "one thing is"
    return f"passes the first check{why}; {share} decided when you submit: {exercise.decided_later}"


def parts_text(exercise: Exercise, right: Collection[str]) -> str:
    """The right parts of an answer that is not right as a whole, such as "; right:
    forward (2 of 3 points)"; empty if none is.
    """
    names = [name for name in exercise.parts if name in right]
    earned = sum(exercise.parts[name] for name in names)
    return f"; right: {', '.join(names)} ({earned} of {exercise.points} points)" if names else ""


def result_text(exercise: Exercise, verdict: Verdict, detail: str | None) -> str:
    """The line that a check prints, and under it the student's own line that raised
    (`line_in_cell`), if there is one.
    """
    if verdict.outcome is Outcome.RIGHT:
        line = f"{exercise.id}: {right_text(exercise, verdict.sentence)}"
    elif verdict.outcome is Outcome.UNATTEMPTED:
        line = (
            f"{exercise.id}: unattempted: write your answer in the cell above, run that cell without an"
            " error, then this one"
        )
    else:
        later = [name for name in exercise.decided_later_parts if name in verdict.right_parts]
        parts = (
            f"{parts_text(exercise, verdict.right_parts.difference(later))}"
            f"{'; passes the first check: ' + ', '.join(later) if later else ''}"
        )
        line = f"{exercise.id}: {verdict.outcome}: {observed_more(verdict.sentence, parts)}"
    return f"{line}\n{detail}" if detail else line


def line_in_cell(trace: TracebackType | None, is_theirs: Callable[[dict[str, object]], bool]) -> str | None:
    """The innermost line of the student's own code in a traceback, such as "… line 3: q = beta * kyes[j]";
    None if there is none.

    `is_theirs` decides from a frame's globals whether the code is the student's.
    """
    found: tuple[str, int, str] | None = None
    file = ""
    for frame, number in traceback.walk_tb(trace):
        if is_theirs(frame.f_globals):
            text = linecache.getline(frame.f_code.co_filename, number).strip()
            found, file = (frame.f_code.co_name, number, text), frame.f_code.co_filename
    if found is None:
        return None
    name, number, text = found
    number += _dropped_lines(file)
    where = "your cell" if name == "<module>" else name
    return f"    in {where}, line {number} of its cell{': ' + text if text else ''}"


def _dropped_lines(file: str) -> int:
    """How many blank lines begin the cell that a traceback calls `file`: IPython drops them before it runs
    the cell, and counts the others from 1.
    """
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    named = shell.compile.format_code_name(file) if shell is not None else None
    number = re.fullmatch(r"In\[(\d+)\]", named[1]) if named else None
    cells = shell.history_manager.input_hist_raw if shell is not None else []
    lines = cells[int(number[1])].splitlines() if number and int(number[1]) < len(cells) else []
    return next((count for count, line in enumerate(lines) if line.strip()), 0)


def call_text(name: str, arguments: Sequence[object]) -> str:
    """A call as a message shows it, such as "sample_next(tensor of shape (5,), 0.0)"."""
    return f"{name}({', '.join(map(_argument_text, arguments))})"


def _argument_text(value: object) -> str:
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and not isinstance(value, type):
        kind = type(value).__name__.lower().replace("ndarray", "array")
        return f"{kind} of shape {tuple(shape)}" if math.prod(shape) > SHOWN_ENTRIES else _short(value)
    if isinstance(value, (list, tuple, dict, set)) and len(value) > SHOWN_ENTRIES:
        return f"a {type(value).__name__} of {len(value)}"
    return _short(value)


def _short(value: object) -> str:
    """A value as Python writes it, on one line, cut where it is long."""
    if isinstance(value, Build | Seeded | Handle):
        return "…"
    said = " ".join(repr(value).split())
    return said if len(said) <= SHOWN_LETTERS else f"{said[: SHOWN_LETTERS - 20]} … {said[-15:]}"


@dataclass(frozen=True)
class Part:
    """One notebook: its exercises, each with its record."""

    name: str
    entries: tuple[tuple[Exercise, Record], ...]

    @property
    def title(self) -> str:
        """Such as "01 attention as a lookup" or "12 kernels (optional)"."""
        optional = all(exercise.optional for exercise, _ in self.entries)
        return self.name.replace("_", " ") + (" (optional)" if optional else "")

    @property
    def checked(self) -> list[tuple[Exercise, Record]]:
        """The exercises of the chosen path that a check decides; a person reads the others."""
        return [
            (exercise, record)
            for exercise, record in self.entries
            if not (exercise.written or exercise.outside)
        ]

    @property
    def state(self) -> str:
        """Such as "3 of 11 done", or "not on your path"."""
        if all(exercise.outside for exercise, _ in self.entries):
            return "not on your path"
        return f"{self.done} of {len(self.checked)} done"

    @property
    def done(self) -> int:
        """How many checked exercises were right at least once."""
        return sum(record.best is Outcome.RIGHT for _, record in self.checked)

    @property
    def earned(self) -> int:
        """The points of these exercises, except extra ones, as far as the checks here decide them."""
        return sum(
            exercise.points - exercise.later_points
            for exercise, record in self.checked
            if record.best is Outcome.RIGHT and not exercise.extra
        )

    @property
    def extra(self) -> int:
        """The extra points of the notebook's exercises, those outside of the chosen path included."""
        return sum(
            exercise.points - exercise.later_points
            for exercise, record in self.entries
            if record.best is Outcome.RIGHT and exercise.extra
        )

    @property
    def later(self) -> int:
        """The points of exercises that passed, extra ones included, which only a submission decides."""
        return sum(
            exercise.later_points
            for exercise, record in self.entries
            if record.best is Outcome.RIGHT and (exercise.extra or not exercise.outside)
        )

    @property
    def score(self) -> str:
        """The points in words."""
        return score_of([self])

    @property
    def points(self) -> int:
        """The points of all checked exercises except extra ones."""
        return sum(exercise.points for exercise, _ in self.checked if not exercise.extra)

    @property
    def written(self) -> int:
        """The points of all written exercises except extra ones; with `points`, the notebook's maximum."""
        return sum(exercise.points for exercise, _ in self.entries if exercise.written and not exercise.extra)

    @property
    def seconds(self) -> float:
        """The time spent on the notebook."""
        return sum(record.seconds for _, record in self.entries)

    @property
    def percent(self) -> int:
        """The share of checked exercises that are done."""
        return round(100 * self.done / len(self.checked)) if self.checked else 0

    @property
    def head(self) -> tuple[str, ...]:
        """The notebook's own row in a table, under `HEADS`."""
        return (self.title, self.state, self.score, "", "")


def score_of(parts: Sequence[Part]) -> str:
    """The points of some notebooks, such as "12 of 16", "16 of 16, 4 extra" or "10 of 16, 2 decided when you
    submit".
    """
    extra, later = sum(part.extra for part in parts), sum(part.later for part in parts)
    return f"{sum(part.earned for part in parts)} of {sum(part.points for part in parts)}" + (
        f"{f', {extra} extra' if extra else ''}{f', {later} decided when you submit' if later else ''}"
    )


def parts_of(exercises: Iterable[Exercise], records: dict[str, Record]) -> list[Part]:
    """The notebooks of these exercises, in their order."""
    grouped: dict[str, list[tuple[Exercise, Record]]] = {}
    for exercise in exercises:
        grouped.setdefault(exercise.notebook, []).append((exercise, records.get(exercise.id, Record())))
    return [Part(name, tuple(entries)) for name, entries in grouped.items()]


class ProgressTable:
    """The progress in some notebooks: one row for each, and one for each exercise of those in `opened`."""

    def __init__(self, parts: list[Part], opened: set[str]) -> None:
        self.parts, self.opened = parts, opened

    def rows(self) -> list[tuple[str, ...]]:
        """The rows of the table: name, state, points, tries, hints.
        A notebook's own row comes before its exercises.
        """
        table: list[tuple[str, ...]] = []
        for part in self.parts:
            table.append(part.head)
            if part.name in self.opened:
                table += [exercise_row(exercise, record) for exercise, record in part.entries]
        return table

    def __str__(self) -> str:
        return text_table([HEADS, *self.rows()])

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """For a notebook: an HTML table, and the text for everything that shows no HTML."""
        # which loads `kqa_core.show`: a check prints its line without it
        from kqa_core.show.kit.templates import render

        exercises = {exercise.id: exercise for part in self.parts for exercise, _ in part.entries}
        table = render(
            "kqa_core", "check/templates/progress.html.j2", heads=HEADS, rows=self.rows(), exercises=exercises
        )
        return {"text/plain": str(self), "text/html": table}


def text_table(rows: Sequence[tuple[str, ...]]) -> str:
    """A table in plain text. The first row holds the headings."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def written_state(exercise: Exercise) -> str:
    """The state of a written answer: "empty", "written", or "marked: 3 of 4 points"."""
    if mark := mark_given(exercise.id, exercise.notebook):
        return f"marked: {mark}"
    return "empty" if is_empty(exercise.id, exercise.notebook) else "written"


def exercise_row(exercise: Exercise, record: Record) -> tuple[str, ...]:
    """An exercise's row: indented name, state, points, tries, hints."""
    if exercise.written:
        state = written_state(exercise)
    else:
        passed = record.best is Outcome.RIGHT
        state = "passed" if passed and exercise.decided_later else STATES[record.best]
        if passed and record.last is not Outcome.RIGHT:
            state += f" (last try: {STATES[record.last]})"
    points = f"{exercise.points}{' extra' if exercise.extra else ''}"
    tries = "" if exercise.written else str(record.tries)
    return (f"  {exercise.id}", state, points, tries, f"{record.hints} of {len(exercise.hints)}")
