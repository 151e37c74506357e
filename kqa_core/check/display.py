"""How outcomes look: one line for a check, a table for progress.

- A check says one line, the same at each run, so that a saved notebook can be compared with a new run.
- A failure is an exception (so that Run All and nbgrader see it) which shows our line and no stack of ours. Where the student's
  own function raised, the line of *their* cell where it happened is shown under ours.
- The table is text; in a notebook it is also an HTML table with a caption and row headers, for people and for screen readers.
"""

from __future__ import annotations

import html
import linecache
import traceback
from collections.abc import Callable, Sequence
from types import TracebackType

from kqa_core.check.exercise import Exercise, Outcome, Verdict
from kqa_core.check.progress_store import Record

WORDS = {Outcome.RIGHT: "done", Outcome.NOT_YET: "not yet", Outcome.ERROR: "error", Outcome.UNATTEMPTED: "unattempted"}


class OneLine(Exception):
    """An exception whose display in a notebook is its message and nothing else."""

    def _render_traceback_(self) -> list[str]:
        """The text that IPython shows instead of a stack."""
        return str(self).splitlines()


def points_text(exercise: Exercise) -> str:
    """Such as "4 points", "1 point", "2 points extra"."""
    return f"{exercise.points} point{'' if exercise.points == 1 else 's'}{' extra' if exercise.extra else ''}"


def notebook_title(exercises: Sequence[Exercise], name: str) -> str:
    """The title of the notebook `name`, which has these exercises, such as "11 kernels (optional)"."""
    optional = bool(exercises) and all(exercise.optional for exercise in exercises)
    return name.replace("_", " ") + (" (optional)" if optional else "")


def name_html(exercise: Exercise) -> str:
    """Title and id of an exercise, for a cell of a table."""
    return f"{html.escape(exercise.title)} <code>{exercise.id}</code>" if exercise.title else exercise.id


def verdict_line(exercise: Exercise, verdict: Verdict) -> str:
    """The line a check says."""
    if verdict.outcome is Outcome.RIGHT:
        earned = f" ({points_text(exercise)})" if exercise.points else ""
        said = "" if verdict.sentence == "right" else f": {verdict.sentence}"
        return f"{exercise.id}: right{earned}{said}"
    if verdict.outcome is Outcome.UNATTEMPTED:
        return f"{exercise.id}: unattempted: put your answer where the cell above says raise, run that cell, then this one"
    return f"{exercise.id}: {verdict.outcome}: {verdict.sentence}"


def place_in_cell(trace: TracebackType | None, belongs: Callable[[dict[str, object]], bool]) -> str | None:
    """The innermost line of the student's own code on the way to the error, "… line 3: q = beta * kyes[j]", or None.

    `belongs` tells from a frame's globals whether the code is theirs.
    """
    found: tuple[str, int, str] | None = None
    for frame, number in traceback.walk_tb(trace):
        if belongs(frame.f_globals):
            text = linecache.getline(frame.f_code.co_filename, number).strip()
            found = (frame.f_code.co_name, number, text)
    if found is None:
        return None
    name, number, text = found
    where = "your cell" if name == "<module>" else name
    return f"    in {where}, line {number} of its cell{': ' + text if text else ''}"


class ProgressTable:
    """Rows per exercise for the notebooks that are begun, one line for each of the others.

    `groups` holds, per notebook, its exercises with their records.
    """

    def __init__(self, groups: list[tuple[str, list[tuple[Exercise, Record]]]], open_notebooks: set[str]) -> None:
        self.groups = groups
        self.open = open_notebooks

    def rows(self) -> list[tuple[str, ...]]:
        """The cells of the table: name, state, points, tries, hints. A notebook's own row comes before its exercises'."""
        table: list[tuple[str, ...]] = []
        for notebook, entries in self.groups:
            checked = [(exercise, record) for exercise, record in entries if not exercise.written]
            done = [exercise for exercise, record in checked if record.best is Outcome.RIGHT]
            base = sum(exercise.points for exercise, _ in checked if not exercise.extra)
            earned = sum(exercise.points for exercise in done)
            table.append(
                (
                    notebook_title([exercise for exercise, _ in entries], notebook),
                    f"{len(done)} of {len(checked)} done",
                    f"{earned} of {base}",
                    "",
                    "",
                )
            )
            if notebook in self.open:
                table += [exercise_row(exercise, record) for exercise, record in entries]
        return table

    def __str__(self) -> str:
        rows = [("exercise", "state", "points", "tries", "hints"), *self.rows()]
        return text_table(rows)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """For a notebook: an HTML table, and the text for everything that shows no HTML."""
        body = []
        names = {exercise.id: name_html(exercise) for _, entries in self.groups for exercise, _ in entries}
        for row in self.rows():
            head = row[3] == "" and not row[0].startswith(" ")
            cells = "".join(f'<td style="text-align:left">{html.escape(cell.strip())}</td>' for cell in row[1:])
            weight = "bold" if head else "normal"
            name = html.escape(row[0]) if head else names[row[0].strip()]
            body.append(f'<tr><th scope="row" style="text-align:left;font-weight:{weight}">{name}</th>{cells}</tr>')
        titles = ("exercise", "state", "points", "tries", "hints")
        heads = "".join(f'<th scope="col" style="text-align:left">{title}</th>' for title in titles)
        table = f"<table><caption>Your progress</caption><thead><tr>{heads}</tr></thead><tbody>{''.join(body)}</tbody></table>"
        return {"text/plain": str(self), "text/html": table}


def text_table(rows: Sequence[tuple[str, ...]]) -> str:
    """Columns of text under the first row, which names them."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def exercise_row(exercise: Exercise, record: Record) -> tuple[str, ...]:
    """One exercise in a table: name, indented; state; points; tries; hints."""
    if exercise.written:
        state = "read by a person"
    else:
        state = WORDS[record.best]
        if record.best is Outcome.RIGHT and record.last is not Outcome.RIGHT:
            state = f"done (last try: {WORDS[record.last]})"
    points = f"{exercise.points}{' extra' if exercise.extra else ''}"
    tries = "" if exercise.written else str(record.tries)
    return (f"  {exercise.id}", state, points, tries, f"{record.hints} of {len(exercise.hints)}")
