"""Three questions about one model that look like one, and the runs that answer each (notebook 07, Part 5).

- All of them end with the same finetuning and the same dev questions. They differ in what pretraining is told
  of the questions to come: (a) nothing; (b) which kind of fact is asked for, learned from the train questions
  alone; (c) most of the questions themselves, with the answers of a reader that has the document open.
- In (b) and (c) this help has a score of its own: the extractor picks the span that is masked most often in
  (b), and writes the questions of (c). An accuracy is worth little without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kqa_core.experiments.results import LADDER, WHOLE, LadderRow, of_row, recorded
from kqa_core.stats import Proportion, mean_sd


@dataclass(frozen=True)
class Asked:
    """One of the three questions."""

    letter: str
    told: str  # what pretraining is told of the questions to come
    rows: tuple[str, ...]  # of the ladder, on the original data
    helped: bool  # whether the extractor takes part, so that its own score stands beside the model's
    shows: str
    shows_not: str


THREE = (
    Asked(
        "a",
        "nothing",
        (WHOLE[0], WHOLE[1], WHOLE[7]),
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


def questions_table(rows: Sequence[LadderRow], reader: Proportion) -> str:
    """A table of the three questions on the original data: a line for each recorded row."""
    lines = [("", "dev accuracy, %", "seeds", "reader's own, %")]
    for asked in THREE:
        lines.append((f"({asked.letter}) pretraining is told: {asked.told}", "", "", ""))
        for name in asked.rows:
            values = [100 * run.accuracy.value for run in of_row(rows, "original", name)]
            mean, sd = mean_sd(values) if values else (0.0, 0.0)
            lines.append(
                (
                    f"    {name}",
                    f"{mean:.1f} ± {sd:.1f}"
                    if len(values) > 1
                    else f"{mean:.1f}"
                    if values
                    else "not measured",
                    str(len(values)) if values else "",
                    f"{100 * reader.value:.1f}" if asked.helped else "none",
                )
            )
    widths = [max(map(len, column)) for column in list(zip(*lines, strict=True))[1:]]
    longest = max(len(line[0]) for line in lines if line[1])
    return "\n".join(
        f"{name:{longest}}{''.join(map('  {:>{}}'.format, cells, widths))}".rstrip() if any(cells) else name
        for name, *cells in lines
    )
