"""The tables of notebook 08b: the ladder's rows, and three questions about one model that look like one.

- A table is its lines, which `kqa_core.show` draws, or text.
- All three questions end with the same finetuning and the same dev questions. They differ in what
  pretraining is told of the questions to come: (a) nothing; (b) which kind of fact is asked for, learned from
  the train questions alone; (c) most of the questions themselves, with the answers of a reader that has the
  document open.
- In (b) and (c) this help has a score of its own: the extractor picks the span that is masked most often in
  (b), and writes the questions of (c). An accuracy is worth little without it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kqa_core.experiments.results import (
    LADDER,
    WHOLE,
    LadderRow,
    compared_with,
    ladder_step,
    of_row,
    recorded,
    rows_in,
    told,
)
from kqa_core.stats import Proportion, mean_sd
from kqa_core.training.recipes import BEST, SMALL


def ladder_lines(rows: Sequence[LadderRow], world: str, names: Sequence[str]) -> list[tuple[str, ...]]:
    """A table's heads, and one line for each of these rows that has runs. Empty columns are left out.

    *Told* is the letter of the question that a row answers (`THREE`). Rows of `LADDER` are compared
    with the one above, those of `WITHOUT` with best.
    """
    heads = (
        "told",
        "dev accuracy, %",
        "seeds",
        "change",
        "p (seeds)",
        "p (questions)",
        "steps",
        "targets",
        "exposures",
        "seconds",
    )
    lines: list[tuple[str, ...]] = [(world, *heads)]
    for name in rows_in(world, names):
        runs = of_row(rows, world, name)
        if not runs:
            continue
        mean, sd = mean_sd([100 * run.accuracy.value for run in runs])
        other = compared_with(world, name)
        step = ladder_step(rows, world, other, name) if other else None
        timed = [run.seconds for run in runs if run.seconds is not None]
        lines.append(
            (
                name,
                told(runs[0]),
                f"{mean:.1f}" if len(runs) == 1 else f"{mean:.1f} ± {sd:.1f}",
                str(len(runs)),
                "" if step is None else f"{step.points:+.1f}",
                "" if step is None else step.p_over_seeds,
                "" if step is None else step.p_over_questions,
                f"{runs[0].steps:,}",
                f"{mean_sd([run.targets for run in runs])[0]:,.0f}",
                f"{mean_sd([run.exposures for run in runs])[0]:.1f}",
                f"{mean_sd(timed)[0]:.0f}" if timed else "",
            )
        )
    filled = [any(column) for column in zip(*lines[1:], strict=True)] or [True] * len(lines[0])
    return [tuple(cell for cell, full in zip(line, filled, strict=True) if full) for line in lines]


def not_measured(rows: Sequence[LadderRow], world: str, names: Sequence[str]) -> str:
    """How many of these rows have no runs, such as "not measured yet: 1 of 3 rows"; empty if all have."""
    names = rows_in(world, names)
    absent = sum(not of_row(rows, world, name) for name in names)
    return f"not measured yet: {absent} of {len(names)} rows" if absent else ""


def ladder_table(rows: Sequence[LadderRow], world: str, names: Sequence[str]) -> str:
    """`ladder_lines` as text; a last line counts the rows that have no runs."""
    lines = ladder_lines(rows, world, names)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    table = [
        f"{name:{widths[0]}}" + "".join(map("  {:>{}}".format, cells, widths[1:])) for name, *cells in lines
    ]
    table += [absent] if (absent := not_measured(rows, world, names)) else []
    return "\n".join(line.rstrip() for line in table)


def largest_steps(rows: Sequence[LadderRow], world: str, names: Sequence[str]) -> list[str]:
    """Half of these rows, in their order: a row without a step, and those with the largest changes."""
    names = [name for name in rows_in(world, names) if of_row(rows, world, name)]

    def size(name: str) -> float:
        other = compared_with(world, name)
        step = ladder_step(rows, world, other, name) if other else None
        return math.inf if step is None else abs(step.points)

    chosen = sorted(names, key=size, reverse=True)[: (len(names) + 1) // 2]
    return [name for name in names if name in chosen]


CLOZES = "cloze questions of the text, assignment's finetuning"  # a row of (a) of `kqa bench relations`


@dataclass(frozen=True)
class Asked:
    """One of the three questions."""

    letter: str
    told: str  # what pretraining is told of the questions to come
    rows: tuple[str, ...]  # of the ladder or of `CLOZES`, on the original data
    helped: bool  # whether the extractor takes part, so that its own score stands beside the model's
    shows: str
    shows_not: str


THREE = (
    Asked(
        "a",
        "nothing",
        (WHOLE[0], WHOLE[1], WHOLE[7], CLOZES),
        False,
        "what finetuning brings out of a text that was stored for no purpose",
        "whether a missing fact was not stored, or was stored and no question reaches it",
    ),
    Asked(
        "b",
        "the kind of fact, by the train questions",
        ("best, all of it",),
        True,
        "that a model of this size stores one chosen fact of every person, and that questions reach it",
        "whether it knows anything else about these people",
    ),
    Asked(
        "c",
        "the questions, which a reader writes with the document open",
        (LADDER[-1], WHOLE[-1]),
        True,
        "that the model learns a reader's answers by heart",
        "what attention is worth, or masked spans: the Synthesizer learns them as well",
    ),
)


def recorded_reader(world: str = "original", path: Path | None = None) -> Proportion:
    """How many dev questions of a world the extractor answers with the document open (`kqa bench extractor`).

    Raises UserError where the file is missing or cannot be read.
    """
    return recorded("extractor", lambda file: Proportion(*file["figures"][world]["dev"]), path)


@dataclass(frozen=True)
class ClozeRun:
    """The answers of a model that was pretrained with cloze questions, for one seed."""

    world: str
    name: str  # `CLOZES`
    seed: int
    accuracy: Proportion  # correct answers to that world's dev questions about birthplaces


def cloze_runs(records: Sequence[dict[str, Any]]) -> list[ClozeRun]:
    """The runs of `CLOZES` among the records of `kqa bench relations`."""
    return [
        ClozeRun(
            record["world"],
            CLOZES,
            record["seed"],
            Proportion(record["answers"].count("1"), len(record["answers"])),
        )
        for record in records
        if record["documents"] == 1
        and (record["row"], record["relation"], record["finetuning"], record["steps"], record["test"])
        == ("a: cloze questions", "place", "assignment", None, False)
    ]


def recorded_clozes(path: Path | None = None) -> list[ClozeRun]:
    """The recorded runs of `CLOZES`; none where nothing has been recorded.

    Raises UserError for a damaged file.
    """
    return recorded("relations", lambda file: cloze_runs(file["figures"]["rows"]), path, absent=[])


def questions_lines(rows: Sequence[LadderRow | ClozeRun], reader: Proportion) -> list[tuple[str, ...]]:
    """The heads of a table, and for each of the three questions a line with its name alone and one for each
    recorded row, on the original data.
    """
    lines: list[tuple[str, ...]] = [("", "dev accuracy, %", "seeds", "reader's own, %")]
    for asked in THREE:
        lines.append((f"({asked.letter}) pretraining is told: {asked.told}",))
        for name in asked.rows:
            values = [100 * run.accuracy.value for run in rows if (run.world, run.name) == ("original", name)]
            mean, sd = mean_sd(values) if values else (0.0, 0.0)
            accuracy = f"{mean:.1f} ± {sd:.1f}" if len(values) > 1 else f"{mean:.1f}"
            own = f"{100 * reader.value:.1f}" if asked.helped else "none"
            lines.append(
                (name, accuracy if values else "not measured", str(len(values)) if values else "", own)
            )
    return lines


def questions_table(rows: Sequence[LadderRow | ClozeRun], reader: Proportion) -> str:
    """`questions_lines` as text."""
    return as_text(questions_lines(rows, reader))


def as_text(lines: Sequence[tuple[str, ...]]) -> str:
    """A table as text. A line of one cell is a heading; the lines below it are indented."""
    first, *rest = lines
    indented = [first, *((f"    {line[0]}", *line[1:]) if len(line) > 1 else line for line in rest)]
    longest, *widths = (
        max(map(len, column)) for column in zip(*(line for line in indented if len(line) > 1), strict=True)
    )
    return "\n".join(
        f"{name:{longest}}{''.join(map('  {:>{}}'.format, cells, widths))}".rstrip()
        for name, *cells in indented
    )


# of `kqa bench relations`: world and share of the people → the text, and the steps of its recipe
TEXTS: dict[tuple[str, float], tuple[str, int]] = {
    ("small", 1.0): ("the small world", SMALL.pretrain.steps or 0),
    ("original-small", 0.125): (
        "an eighth of the original data, with the small world's recipe",
        SMALL.pretrain.steps or 0,
    ),
    ("original-small", 0.25): (
        "a quarter of the original data, with the small world's recipe",
        SMALL.pretrain.steps or 0,
    ),
    ("original-small", 1.0): (
        "the original data, with the small world's recipe",
        SMALL.pretrain.steps or 0,
    ),
    ("original", 1.0): ("the original data", BEST.pretrain.steps or 0),
}
ROWS = {"a: salient spans": "salient rows", "a: cloze questions": "half cloze questions"}


@dataclass(frozen=True)
class Exposed:
    """How often one pretraining of (a) masks the answers of a relation, and how many it knows, for one
    seed.
    """

    text: str
    row: str
    steps: int
    relation: str
    finetuned: bool  # else asked as pretraining asks, by the text around the answer
    accuracy: Proportion
    exposures: tuple[float, float]  # of the answer to a dev question: in salient rows, in cloze questions


def exposed_runs(records: Sequence[dict[str, Any]]) -> list[Exposed]:
    """The runs of `TEXTS` and `ROWS` among the records of `kqa bench relations`, dev questions."""
    runs = []
    for record in records:
        key = record["world"], record["documents"]
        if (
            key not in TEXTS
            or record["row"] not in ROWS
            or record["finetuning"] not in ("assignment", "none")
            or record["test"]
        ):
            continue
        name, usual = TEXTS[key]
        steps: int = record["steps"] if usual is None else record["steps"] or usual
        runs.append(
            Exposed(
                text=name,
                row=ROWS[record["row"]],
                steps=steps,
                relation=record["relation"],
                finetuned=record["finetuning"] != "none",
                accuracy=Proportion(record["answers"].count("1"), len(record["answers"])),
                exposures=tuple(record["exposures"]),
            )
        )
    return runs


def recorded_exposures(path: Path | None = None) -> list[Exposed]:
    """The recorded runs of `exposed_runs`; none where nothing has been recorded.

    Raises UserError for a damaged file.
    """
    return recorded("relations", lambda file: exposed_runs(file["figures"]["rows"]), path, absent=[])


def exposures_lines(runs: Sequence[Exposed]) -> list[tuple[str, ...]]:
    """The heads of a table, and for each text a line with its name and one for each number of steps and kind
    of rows: for birthplaces and years of birth, how often an answer is masked, what is stored and what is
    answered after finetuning.
    """
    facts = {"place": "birthplace", "year": "year"}
    columns = ("masked", "stored, %", "answered, %")
    heads = [f"{fact} {column}" for fact in facts.values() for column in columns]
    lines: list[tuple[str, ...]] = [("", "steps", *heads)]
    for text, _ in TEXTS.values():
        chosen = [run for run in runs if run.text == text]
        if chosen:
            lines.append((text,))
        for row in ROWS.values():
            for steps in sorted({run.steps for run in chosen if run.row == row}):
                these = [run for run in chosen if (run.row, run.steps) == (row, steps)]
                cells = [cell for fact in facts for cell in _exposed(these, fact)]
                lines.append((row, f"{steps:,}", *cells))
    return lines


def _exposed(runs: Sequence[Exposed], relation: str) -> tuple[str, str, str]:
    """How often the answers of a relation are masked, and the accuracies before and after finetuning."""
    runs = [run for run in runs if run.relation == relation]
    masked = " + ".join(f"{times:.0f}" for times in runs[0].exposures if times) if runs else ""
    means = []
    for finetuned in (False, True):
        values = [100 * run.accuracy.value for run in runs if run.finetuned is finetuned]
        mean, sd = mean_sd(values) if values else (0.0, 0.0)
        means.append("" if not values else f"{mean:.1f}" if len(values) == 1 else f"{mean:.1f} ± {sd:.1f}")
    return masked, means[0], means[1]
