"""The ladder of recipes: its tables, and two figures, accuracy against seconds and accuracy of each row.

- A table is HTML that fits a window of 1,100 pixels. Half of its rows are to be seen, and a fold has all.
  A program that shows no HTML gets the same rows as text.
- Horizontal lines, with their names, are for comparison: published results, the knowledge ceiling.
- Every bar is the mean over seeds, with a dot for each seed; one seed alone has the 95 % interval of its
  accuracy instead.
- Rows that have not been measured have no bar; the sentence counts them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from kqa_core.experiments.ladder_tables import (
    ClozeRun,
    Exposed,
    as_text,
    exposures_lines,
    ladder_lines,
    ladder_table,
    largest_steps,
    not_measured,
    questions_lines,
    questions_table,
)
from kqa_core.experiments.results import (
    LadderRow,
    of_row,
    rows_in,
)
from kqa_core.show.kit import theme
from kqa_core.show.kit.palette import BLUE, GREEN, GREY, LIGHT_GREY, ORANGE, PINK, new_figure, open_axes
from kqa_core.show.kit.sketch import label
from kqa_core.show.kit.still import Still
from kqa_core.stats import Proportion, mean_sd

MARKS = ("o-", "s--", "^-.", "D:")
COLOURS = (BLUE, ORANGE, GREEN, PINK)
# accuracies on the original data's dev questions
LEVELS = {"published mean": 0.228, "best published": 0.404, "ceiling": 0.958}

# :is with an id in it has a higher specificity than JupyterLab's rules for tables in outputs.
STYLE = """
.kqa-rows:is(.kqa, #kqa) { max-width: 1080px; padding: 0; }
.kqa-rows:is(.kqa, #kqa) table { border-collapse: collapse; margin: .2rem 0; font-size: var(--kqa-small);
  color: inherit; }
.kqa-rows:is(.kqa, #kqa) :is(th, td) { padding: .15rem 0 .15rem .8rem; font-weight: 400; text-align: right;
  vertical-align: bottom; border-bottom: 1px solid var(--kqa-line); background: none; color: inherit; }
.kqa-rows:is(.kqa, #kqa) td { white-space: nowrap; }
.kqa-rows:is(.kqa, #kqa) th:first-child { text-align: left; padding-left: 0; min-width: 12rem;
  max-width: 20rem; }
.kqa-rows:is(.kqa, #kqa) th[colspan] { max-width: none; padding-top: .6rem; font-weight: 600; }
.kqa-rows:is(.kqa, #kqa) thead th { color: var(--kqa-quiet); }
.kqa-rows summary { cursor: pointer; padding: .25rem 0; }
.kqa-rows summary:focus-visible { outline: 3px solid var(--kqa-focus); outline-offset: 2px; }
"""


class RowsTable:
    """A table of training runs: HTML in a notebook, text elsewhere.

    `lines` are its heads and its rows; a row of one cell is a heading. With `shown`, the names of some rows,
    these alone are to be seen at first, and a fold has all of them. `note` comes last.
    """

    def __init__(
        self, text: str, lines: Sequence[Sequence[str]], shown: Sequence[str] = (), note: str = ""
    ) -> None:
        self.text, self.lines, self.shown, self.note = text, lines, shown, note

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": self.text, "text/html": self.to_html()}

    def to_html(self) -> str:
        """An HTML section with its own style sheet."""
        heads, *rows = self.lines
        first = [row for row in rows if not self.shown or row[0] in self.shown]
        whole = len(first) == len(rows)
        fold = (
            f"<details><summary>all {len(rows)} rows, in their order</summary>{_table(heads, rows)}</details>"
        )
        note = f'<p class="kqa-quiet">{escape(self.note)}</p>' if self.note else ""
        return (
            f"<style>{theme.stylesheet()}{STYLE}</style>"
            f'<section class="kqa kqa-rows">{_table(heads, first)}{"" if whole else fold}{note}</section>'
        )


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """An HTML table; a row of one cell is as wide as the table."""
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = "".join(
        f'<tr><th scope="row"{f" colspan={len(heads)}" if len(row) == 1 else ""}>{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def show_ladder(
    rows: Sequence[LadderRow], world: str, names: Sequence[str], shown: Sequence[str] | None = None
) -> RowsTable:
    """The rows `names` of `world` as a table. Open: `shown`, or else the half with the largest changes."""
    lines = ladder_lines(rows, world, names)
    shown = largest_steps(rows, world, names) if shown is None else shown
    return RowsTable(ladder_table(rows, world, names), lines, shown, not_measured(rows, world, names))


def show_questions(rows: Sequence[LadderRow | ClozeRun], reader: Proportion) -> RowsTable:
    """The table of the three questions: the model's accuracy, and that of the reader that helped it."""
    return RowsTable(questions_table(rows, reader), questions_lines(rows, reader))


def show_exposures(runs: Sequence[Exposed]) -> RowsTable:
    """How often pretraining masks a fact, and how many are stored and answered."""
    lines = exposures_lines(runs)
    return RowsTable(as_text(lines), lines)


def accuracy_by_seconds(runs: Mapping[str, LadderRow], levels: Mapping[str, float], title: str = "") -> Still:
    """Accuracy of some runs during training, against minutes; `levels` are accuracies in [0, 1]."""
    figure = new_figure(8.0, 4.0)
    axes = open_axes(figure)
    clauses = []
    for (name, run), mark, colour in zip(runs.items(), MARKS * len(runs), COLOURS * len(runs), strict=False):
        if run.seconds is None or not run.curve:
            continue
        points = [(point["seconds"], point["correct"]) for point in run.curve]
        seconds, right = zip(*points, (run.seconds, run.accuracy.hits), strict=True)
        minutes, shares = [s / 60 for s in seconds], [100 * hits / run.accuracy.total for hits in right]
        axes.plot(minutes, shares, mark, color=colour, label=name)
        clauses.append(f"{name}: {100 * run.accuracy.value:.1f} % after {run.seconds / 60:.0f} minutes")
    for name, level in levels.items():
        axes.axhline(100 * level, color=LIGHT_GREY, linewidth=1)
        text = f"{name}: {100 * level:.1f} %"
        # x in parts of the width: at the right, away from curves that rise
        across = axes.get_yaxis_transform()
        axes.text(0.99, 100 * level + 1, text, color=GREY, fontsize="small", ha="right", transform=across)
        clauses.append(f"{name}: {100 * level:.1f} %")
    axes.set(xlabel="minutes of training on two cores", ylabel="right answers, %", title=title)
    axes.set(xlim=(0, None), ylim=(0, 105))
    if axes.get_legend_handles_labels()[0]:
        figure.legend(frameon=False, loc="outside lower center", ncols=2)
    return Still(figure, f"{title + '. ' if title else ''}Accuracy against time. {'; '.join(clauses)}.")


def accuracy_by_lever(rows: Sequence[LadderRow], world: str, names: Sequence[str], title: str = "") -> Still:
    """One bar for each of the rows `names` of `world` that has been measured, the first on top."""
    names = rows_in(world, names)
    measured = {name: runs for name in names if (runs := of_row(rows, world, name))}
    figure = new_figure(8.0, 0.9 + 0.42 * max(len(measured), 1))
    axes = open_axes(figure)
    clauses = []
    for place, (name, mine) in enumerate(measured.items()):
        values = [100 * row.accuracy.value for row in mine]
        mean, sd = mean_sd(values)
        axes.barh(place, mean, color=BLUE)
        if len(values) == 1:
            low, high = (100 * end for end in mine[0].accuracy.interval)
            axes.errorbar(mean, place, xerr=[[mean - low], [high - mean]], color=GREY, capsize=4)
            text = f"{mean:.1f} % ({low:.1f} to {high:.1f}, one seed)"
        else:
            high = max(values)
            axes.plot(values, [place] * len(values), "o", color=GREY, markersize=4, markerfacecolor="white")
            text = f"{mean:.1f} ± {sd:.1f} %"
        label(axes, text, (high, place), (6, 0), va="center", fontsize="small")
        clauses.append(f"{name}: {text}")
    if len(measured) < len(names):
        clauses.append(f"not measured yet: {len(names) - len(measured)} of {len(names)} rows")
    axes.set_yticks(range(len(measured)), list(measured))
    axes.set_ylim(max(len(measured), 1) - 0.5, -0.5)
    axes.set(xlim=(0, 170), xlabel="right answers, %", title=title)
    axes.set_xticks(range(0, 101, 20))
    return Still(figure, f"{title + '. ' if title else ''}Accuracy against lever. {'; '.join(clauses)}.")
