"""The cockpit: how far you have come in all notebooks, where you left off, and the way back there.

- Text and HTML say the same. The text is what `kqa progress` prints, and what stands where no HTML is shown.
- Plain HTML without a script: links and folds are the browser's own, so that it works from the keyboard, in a saved notebook, and
  without a kernel. It is as true as the last run of its cell.
- Minutes (`progress_store` says what they are) are rounded to fives: they are not known better, and a new run says the same.
- You left off at the exercise you last checked or took a hint for. If that is done, the next is the first after it that is not.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kqa_core.check.display import exercise_row, name_html, notebook_title, text_table
from kqa_core.check.exercise import Exercise, Outcome
from kqa_core.check.progress_store import PAUSE, Record
from kqa_core.errors import UserError, suggest
from kqa_core.show.kit import theme
from kqa_core.show.kit.palette import GREEN, VERMILION

HEAD = ("exercise", "state", "points", "tries", "hints", "minutes")
ABOUT_MINUTES = (
    f"Minutes: the time between your checks and hints, a longer pause counting as {PAUSE // 60}, rounded to fives. "
    "Points are what the checks here would give; the mark is decided after you hand in."
)
# `:is` with an id in it goes before what JupyterLab says of tables and links in outputs.
RULES = f"""
.kqa-cockpit:is(.kqa, #kqa) table {{ border-collapse: collapse; width: 100%; margin: .2rem 0 .8rem; font-size: inherit;
  color: var(--kqa-ink); }}
.kqa-cockpit:is(.kqa, #kqa) :is(th, td) {{ text-align: left; vertical-align: top; padding: .2rem .9rem .2rem 0;
  font-weight: 400; border-bottom: 1px solid var(--kqa-line); background: none; color: inherit; }}
.kqa-cockpit:is(.kqa, #kqa) thead th {{ color: var(--kqa-quiet); font-size: var(--kqa-small); }}
.kqa-cockpit:is(.kqa, #kqa) tbody tr {{ background: none; }}
.kqa-cockpit:is(.kqa, #kqa) a {{ color: inherit; text-decoration: underline; }}
.kqa-cockpit summary {{ cursor: pointer; padding: .25rem 0; }}
.kqa-cockpit summary b {{ font-weight: 600; }}
.kqa-cockpit a:focus-visible, .kqa-cockpit summary:focus-visible {{ outline: 3px solid var(--kqa-focus); outline-offset: 2px; }}
.kqa-cockpit .kqa-said {{ min-height: 0; margin: 0 0 var(--kqa-gap); white-space: normal; }}
.kqa-cockpit .dot {{ display: inline-block; width: .65em; height: .65em; margin-right: .45em; border-radius: 50%;
  border: 1px solid var(--kqa-quiet); }}
.kqa-cockpit .done {{ background: {GREEN}; border-color: {GREEN}; }}
.kqa-cockpit .tried {{ background: {VERMILION}; border-color: {VERMILION}; border-radius: 0; }}
.kqa-cockpit .bar {{ display: inline-block; width: 6em; height: .55em; margin-right: .6em; border: 1px solid var(--kqa-quiet);
  border-radius: 2px; background: linear-gradient({GREEN}, {GREEN}) no-repeat; }}
"""


@dataclass(frozen=True)
class Part:
    """One notebook: its exercises, each with what is known of it."""

    name: str
    entries: tuple[tuple[Exercise, Record], ...]

    @property
    def title(self) -> str:
        """Such as "01 attention as a lookup" or "11 kernels (optional)"."""
        return notebook_title([exercise for exercise, _ in self.entries], self.name)

    @property
    def checked(self) -> list[tuple[Exercise, Record]]:
        """Those that a check decides; the others are read by a person."""
        return [(exercise, record) for exercise, record in self.entries if not exercise.written]

    @property
    def done(self) -> int:
        """How many of them were right once."""
        return sum(record.best is Outcome.RIGHT for _, record in self.checked)

    @property
    def earned(self) -> int:
        """The points of those, extra ones included."""
        return sum(exercise.points for exercise, record in self.checked if record.best is Outcome.RIGHT)

    @property
    def points(self) -> int:
        """The points to be had, extra ones aside."""
        return sum(exercise.points for exercise, _ in self.checked if not exercise.extra)

    @property
    def seconds(self) -> float:
        """The time spent on it."""
        return sum(record.seconds for _, record in self.entries)


class Cockpit:
    """What `cockpit()` shows and `kqa progress` prints. `opened`: the notebooks whose exercises stand there one by one."""

    def __init__(self, exercises: Iterable[Exercise], records: dict[str, Record], opened: set[str]) -> None:
        grouped: dict[str, list[tuple[Exercise, Record]]] = {}
        for exercise in exercises:
            grouped.setdefault(exercise.notebook, []).append((exercise, records.get(exercise.id, Record())))
        self.parts = [Part(name, tuple(entries)) for name, entries in grouped.items()]
        self.opened = opened

    def next(self) -> tuple[Exercise, Record] | None:
        """Where to go on; None where everything that is checked is done."""
        course = [entry for part in self.parts for entry in part.entries]
        last = self._last()
        start = 0 if last is None else next(place for place, (exercise, _) in enumerate(course) if exercise is last[0])
        waiting = (each for each in course[start:] + course[:start] if not each[0].written and each[1].best is not Outcome.RIGHT)
        return next(waiting, None)

    def _last(self) -> tuple[Exercise, Record] | None:
        """The exercise last checked or hinted at."""
        seen = [entry for part in self.parts for entry in part.entries if entry[1].at or entry[1].tries or entry[1].hints]
        return max(seen, key=lambda entry: entry[1].at, default=None)

    def summary(self) -> str:
        """One line for the whole course."""
        done, all_of_them = sum(part.done for part in self.parts), sum(len(part.checked) for part in self.parts)
        earned, points = sum(part.earned for part in self.parts), sum(part.points for part in self.parts)
        spent = minutes(sum(part.seconds for part in self.parts))
        return f"{done} of {all_of_them} exercises done, {earned} of {points} points" + (f", {spent} minutes" if spent else "")

    def where(self) -> tuple[str, Exercise | None, str]:
        """Where to go on: what stands before the exercise, the exercise, and what stands after it."""
        found, last = self.next(), self._last()
        if found is None:
            return "Everything that is checked is done.", None, ""
        exercise, record = found
        title = exercise.notebook.replace("_", " ")
        if last is None:
            return "Begin with ", exercise, f" in {title}."
        if last[0] is not exercise:
            return "Go on with ", exercise, f" in {title}; the last you worked on was {last[0].id}."
        ladder = f"{record.hints} of {len(exercise.hints)} hints taken" if record.hints else "no hint taken yet"
        return "You left off at ", exercise, f" in {title}: {exercise_row(exercise, record)[1]}, {ladder}."

    def __str__(self) -> str:
        before, exercise, after = self.where()
        lines = [self.summary(), f"{before}{exercise.id if exercise else ''}{after}", ""]
        rows: list[tuple[str, ...]] = []
        for part in self.parts:
            head = (f"{part.done} of {len(part.checked)} done", f"{part.earned} of {part.points}", "", "", minutes(part.seconds))
            rows.append((part.title, *head))
            if part.name in self.opened:
                rows += [(*exercise_row(exercise, record), minutes(record.seconds)) for exercise, record in part.entries]
        return "\n".join([*lines, text_table([HEAD, *rows]), "", ABOUT_MINUTES])

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """For a notebook: the page, and the text for everything that shows no HTML."""
        return {"text/plain": str(self), "text/html": self.to_html()}

    def to_html(self) -> str:
        """A section that brings its own style. Its links are meant from a notebook's folder in the working copy."""
        before, exercise, after = self.where()
        way = f'{before}<a href="{_address(exercise)}">{name_html(exercise)}</a>{html.escape(after)}' if exercise else before
        return (
            f"<style>{theme.stylesheet()}{RULES}</style>"
            '<section class="kqa kqa-cockpit" aria-label="Your progress">'
            f'<p class="kqa-said"><b>{self.summary()}</b><br>{way}</p>'
            f'{"".join(self._fold(part) for part in self.parts)}<p class="kqa-quiet">{ABOUT_MINUTES}</p></section>'
        )

    def _fold(self, part: Part) -> str:
        spent = f", {minutes(part.seconds)} minutes" if part.seconds else ""
        share = round(100 * part.done / len(part.checked)) if part.checked else 0
        bar = f'<span class="bar" aria-hidden="true" style="background-size:{share}% 100%"></span>'
        said = f"{part.done} of {len(part.checked)} done, {part.earned} of {part.points} points{spent}"
        heads = "".join(f'<th scope="col">{title}</th>' for title in HEAD)
        rows = "".join(_row(exercise, record) for exercise, record in part.entries)
        return (
            f"<details{' open' if part.name in self.opened else ''}><summary>{bar}<b>{part.title}</b>: {said}</summary>"
            f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></details>"
        )


def minutes(seconds: float) -> str:
    """Such as "about 25" or "under 5"; empty where there is nothing to count."""
    fives = 5 * round(seconds / 300)
    return f"about {fives}" if fives else "under 5" if seconds > 0 else ""


def shown_notebooks(wanted: str | None, exercises: Iterable[Exercise], records: dict[str, Record]) -> set[str]:
    """The notebooks that are shown in full: `wanted` by name or number, "all", or by default those that are begun.

    Raises UserError for a notebook that is none.
    """
    names = list(dict.fromkeys(exercise.notebook for exercise in exercises))
    if wanted == "all":
        return set(names)
    if wanted is not None:
        found = {name for name in names if wanted in (name, name.partition("_")[0])}
        if not found:
            raise UserError(f"progress: no notebook is called {wanted!r}: {suggest(wanted, ['all', *names], cutoff=0.4)}")
        return found
    return {exercise.notebook for exercise in exercises if exercise.id in records} | {Path.cwd().name} & set(names)


def _address(exercise: Exercise) -> str:
    """The cell of its statement in its notebook, as JupyterLab addresses cells."""
    name = exercise.notebook
    return html.escape(f"../{name}/{name}.ipynb#cell-id=statement_{exercise.id}", quote=True)


def _row(exercise: Exercise, record: Record) -> str:
    _, *cells = (*exercise_row(exercise, record), minutes(record.seconds))
    dot = "done" if record.best is Outcome.RIGHT else "tried" if record.tries else "open"
    state = f'<span class="dot {dot}" aria-hidden="true"></span>{html.escape(cells[0])}'
    rest = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells[1:])
    name = f'<th scope="row"><a href="{_address(exercise)}">{name_html(exercise)}</a></th>'
    return f"<tr>{name}<td>{state}</td>{rest}</tr>"
