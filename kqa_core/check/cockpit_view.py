"""The cockpit: your progress in all notebooks, the exercise where you left off, and a link to it.

- Text and HTML say the same. `kqa progress` prints the text; programs that show no HTML show it too.
- The HTML has no script. Links and folds are the browser's own, so it works from the keyboard, in a saved
  notebook, and without a kernel. It shows the progress at the last run of its cell.
- A notebook's due date is shown if the copy names one, in `NAME_due.txt` beside the notebook NAME. `kqa
  course build` writes it. All students get the same copy, so the extension of one student is not in it.
- The points are those of the checked exercises, and beside them those of the written ones: together the
  notebook's maximum, as in the grader's marks.
- Minutes (see `progress_store`) are rounded to fives: we do not know them more exactly, and so a new run
  shows the same.
- You left off at the exercise that you last checked or took a hint for. If it is done, you continue with the
  first exercise after it that is not done.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kqa_core.check.display import HEADS as PROGRESS_HEADS
from kqa_core.check.display import Part, exercise_row, parts_of, score_of, text_table
from kqa_core.check.exercise import Exercise, Outcome
from kqa_core.check.progress_store import PAUSE, Record
from kqa_core.check.registry import notebook_folder
from kqa_core.errors import UserError, suggest
from kqa_core.show.kit import theme
from kqa_core.show.kit.templates import render, trusted

DUE = "_due.txt"
LONGEST_DUE = 200  # characters of the line that is shown
HEADS = (*PROGRESS_HEADS, "minutes")
ABOUT_MINUTES = (
    "Minutes: the time between your checks and hints, rounded to fives; a longer pause counts as"
    f" {PAUSE // 60}. Points are what the checks here would give, + those of written answers, which a person"
    " marks; the sum is the maximum. Your mark is decided after you submit."
)


class Cockpit:
    """The output of `cockpit()` and `kqa progress`.
    `opened`: the notebooks whose exercises are listed one by one.
    """

    def __init__(self, exercises: Iterable[Exercise], records: dict[str, Record], opened: set[str]) -> None:
        self.parts, self.opened = parts_of(exercises, records), opened

    def next(self) -> tuple[Exercise, Record] | None:
        """The exercise to continue with; None if all checked exercises of the chosen path are done."""
        course = [entry for part in self.parts for entry in part.entries]
        last = self._last()
        start = (
            0 if last is None else next(i for i, (exercise, _) in enumerate(course) if exercise is last[0])
        )
        waiting = (
            each
            for each in course[start:] + course[:start]
            if not (each[0].written or each[0].outside) and each[1].best is not Outcome.RIGHT
        )
        return next(waiting, None)

    def _last(self) -> tuple[Exercise, Record] | None:
        """The exercise that was last checked or got a hint."""
        seen = [
            entry
            for part in self.parts
            for entry in part.entries
            if entry[1].at or entry[1].tries or entry[1].hints
        ]
        return max(seen, key=lambda entry: entry[1].at, default=None)

    def summary(self) -> str:
        """One line for the whole course."""
        done, total = sum(part.done for part in self.parts), sum(len(part.checked) for part in self.parts)
        written, spent = (
            sum(part.written for part in self.parts),
            minutes(sum(part.seconds for part in self.parts)),
        )
        outside = any(exercise.outside for part in self.parts for exercise, _ in part.entries)
        clauses = [
            f"{done} of {total} exercises{' of your path' if outside else ''} done",
            f"checked points: {score_of(self.parts)}",
        ]
        clauses += [f"{written} more points are for written answers, marked by a person"] if written else []
        return "; ".join([*clauses, *([f"{spent} minutes"] if spent else [])])

    def points(self, part: Part) -> str:
        """A notebook's points, such as "12 of 16 + 8 written, 4 extra"."""
        checked, comma, extra = part.score.partition(",")
        return checked + (f" + {part.written} written" if part.written else "") + comma + extra

    def where_to_continue(self) -> tuple[str, Exercise | None, str]:
        """A sentence that says where to continue: the text before the exercise,
        the exercise, and the text after it.
        """
        found, last = self.next(), self._last()
        if found is None:
            return "Everything that is checked is done.", None, ""
        exercise, record = found
        title = exercise.notebook.replace("_", " ")
        if last is None:
            return "Begin with ", exercise, f" in {title}."
        if last[0] is not exercise:
            return "Go on with ", exercise, f" in {title}; the last you worked on was {last[0].id}."
        hints = (
            f"{record.hints} of {len(exercise.hints)} hints taken" if record.hints else "no hint taken yet"
        )
        return "You left off at ", exercise, f" in {title}: {exercise_row(exercise, record)[1]}, {hints}."

    def __str__(self) -> str:
        before, exercise, after = self.where_to_continue()
        lines = [self.summary(), f"{before}{exercise.id if exercise else ''}{after}", ""]
        rows: list[tuple[str, ...]] = []
        for part in self.parts:
            name, state, _, *rest = part.head
            title = ", ".join(each for each in (name, self.due(part)) if each)
            rows.append((title, state, self.points(part), *rest, minutes(part.seconds)))
            if part.name in self.opened:
                rows += [self.row(exercise, record) for exercise, record in part.entries]
        return "\n".join([*lines, text_table([HEADS, *rows]), "", ABOUT_MINUTES])

    def due(self, part: Part) -> str:
        """When a notebook is due, in words; empty if the copy names no date."""
        try:
            return due_line(notebook_folder(part.entries[0][0].id))
        except (KeyError, IndexError):  # no file holds its exercises
            return ""

    def row(self, exercise: Exercise, record: Record) -> tuple[str, ...]:
        """An exercise's row in the table, under `HEADS`."""
        return (*exercise_row(exercise, record), minutes(record.seconds))

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """For a notebook: the HTML, and the text for everything that shows no HTML."""
        return {"text/plain": str(self), "text/html": self.to_html()}

    def to_html(self) -> str:
        """An HTML section with its own style sheet.
        Its links start from a notebook's folder in the working copy.
        """
        before, exercise, after = self.where_to_continue()
        return render(
            "kqa_core",
            "check/templates/cockpit.html.j2",
            css=trusted(theme.stylesheet()),
            cockpit=self,
            heads=HEADS,
            before=before,
            exercise=exercise,
            after=after,
            minutes=minutes,
            about=ABOUT_MINUTES,
        )


def due_line(folder: Path) -> str:
    """Such as "due 1 December 2026, 23:59 (UTC+01:00)"; empty if the copy in `folder` names no date."""
    try:
        text = (folder / f"{folder.name}{DUE}").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
    return (text.splitlines() or [""])[0][:LONGEST_DUE]


def minutes(seconds: float) -> str:
    """Such as "about 25" or "under 5"; empty for no time."""
    fives = 5 * round(seconds / 300)
    return f"about {fives}" if fives else "under 5" if seconds > 0 else ""


def shown_notebooks(
    wanted: str | None, exercises: Iterable[Exercise], records: dict[str, Record]
) -> set[str]:
    """The notebooks whose exercises are listed:
    `wanted` by name or number, "all", or by default those that were begun.

    Raises UserError for an unknown notebook.
    """
    names = list(dict.fromkeys(exercise.notebook for exercise in exercises))
    if wanted == "all":
        return set(names)
    if wanted is not None:
        found = {name for name in names if wanted in (name, name.partition("_")[0])}
        if not found:
            raise UserError(
                f"progress: no notebook is called {wanted!r}: {suggest(wanted, ['all', *names], cutoff=0.4)}"
            )
        return found
    return {exercise.notebook for exercise in exercises if exercise.id in records} | {Path.cwd().name} & set(
        names
    )
