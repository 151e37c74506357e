"""Results that the benchmarks recorded: one loader, and a typed view of each file.

- `kqa bench NAME` writes `benchmarks/results/NAME.json`. `recorded` finds and reads it; all error messages
  come from there.
- `read_ladder`: training runs from the published accuracy up to the knowledge ceiling, one change at a time
  (notebook 08b).
- `recorded_lab`: losses of the mini-Transformer lab (notebook 05).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from kqa_core.errors import UserError
from kqa_core.experiments.mini_transformer import MEASURED, VARIANTS
from kqa_core.stats import Proportion, mcnemar, mean_sd, paired
from kqa_core.text.packaged import recorded_file

View = TypeVar("View")


def recorded(
    name: str, view: Callable[[dict[str, Any]], View], path: Path | None = None, absent: View | None = None
) -> View:
    """`view` of the results of benchmark `name`, read from `path` or else from where `kqa bench` writes them.

    Returns `absent`, if it is given, where there is no such file. Raises UserError where the file is missing
    or cannot be read.
    """
    path = path or recorded_file(f"{name}.json")
    if absent is not None and not path.is_file():
        return absent
    try:
        return view(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise UserError(
            f"{path}: the results of a benchmark were expected there: run `kqa bench {name}` to make them"
        ) from None


LADDER = (  # each row changes one thing of the row before
    "assignment",
    "+ a rate that ends at 0",
    "+ rotary positions",
    "+ no dropout",
    "+ rows in a new order each epoch",
    "+ batches of 64",  # and so more steps; in the small world alone
    "+ loss on the masked span alone",
    "+ short rows with the title",  # around one masked word
    "+ names and numbers masked",
    "+ train questions mixed in",
    "+ weight decay for matrices alone",
    "+ a third of the rate",
    "+ Muon",
    "+ gentler finetuning",  # 2 epochs at 1e-4 in place of 10 at 6e-4
    "+ cue from the train questions (best)",
    "+ half of each batch questions",
    "+ generated questions",
)
BEST_ROW = LADDER[-3]
WITHOUT = (  # each row takes one thing away from the best
    "best without the anneal",
    "best without rotary positions",
    "best with dropout",
    "best with the order of the file",
    "best with batches of 128",  # in the small world
    "best with batches of 64",  # in the others, as the next
    "best with batches of 256",
    "best with loss on the whole row",
    "best without short rows",
    "best with any word masked",
    "best without questions",
    "best with weight decay for all",
    "best without Muon",
    "best with the assignment's finetuning",
)
WHOLE = (  # for as long as their recipes say
    "assignment, all 650 epochs",
    "assignment with rotary positions, all 650 epochs",
    "assignment with the Synthesizer, all 650 epochs",
    "best, all of it",
    "best with generated questions, all of it",
    "best without the cue, all of it",
    "best without cue and questions, all of it",
    "best without cue and questions, assignment's finetuning, all of it",
    "best with the Synthesizer, all of it",
    "generated questions with the Synthesizer, all of it",
)

_OTHER_BATCHES = ("+ batches of 64", "best with batches of 128")
NOT_IN = {  # rows that a world does not have
    "small": ("best with batches of 64", "best with batches of 256"),
    "full": _OTHER_BATCHES,
    "original": _OTHER_BATCHES,
}


def rows_in(world: str, names: Sequence[str]) -> list[str]:
    """Those of these rows that a world has; recipe `small` has batches of 64, `best` of 128."""
    return [name for name in names if name not in NOT_IN.get(world, ())]


@dataclass(frozen=True)
class LadderRow:
    """One training run: a world, a set of changes to the assignment's recipe, a seed."""

    world: str  # small, full or original
    name: str  # in LADDER, WITHOUT or WHOLE
    seed: int
    run: dict[str, Any]  # variant, recipe, and how many characters pretraining reads
    accuracy: Proportion  # correct answers to that world's dev questions
    steps: int
    characters: int  # that pretraining read, padding not counted; the same for all rows of one world
    documents: int
    parameters: int
    targets: int  # of pretraining: characters that its loss was on
    answers: str  # for each dev question in order, 1 where it was answered correctly, else 0
    exposures: float  # how often training masked the whole place of a dev person, on average
    # training without evaluation; None where the run was interrupted, or shared its processors
    seconds: float | None
    curve: list[dict[str, float]]  # step, seconds, correct: accuracy during pretraining
    machine: dict[str, Any]  # seconds can be compared where this is the same

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> LadderRow:
        """The row that `to_json` gave. Raises KeyError or TypeError for other fields."""
        row = dict(row)
        return cls(accuracy=Proportion(row.pop("correct"), row.pop("total")), **row)

    def to_json(self) -> dict[str, Any]:
        """The row as it is recorded: `accuracy` as two fields, `correct` and `total`."""
        row = asdict(self)
        accuracy = row.pop("accuracy")
        return row | {"correct": accuracy["hits"], "total": accuracy["total"]}


def read_ladder(path: Path | None = None) -> list[LadderRow]:
    """The recorded rows; none where nothing has been recorded. Raises UserError for a damaged file."""
    return recorded(
        "ladder", lambda file: [LadderRow.from_json(row) for row in file["rows"]], path, absent=[]
    )


def of_row(rows: Sequence[LadderRow], world: str, name: str) -> list[LadderRow]:
    """The runs of one row, one per seed."""
    return sorted((row for row in rows if (row.world, row.name) == (world, name)), key=lambda row: row.seed)


def told(row: LadderRow) -> str:
    """What pretraining is told of the questions to come: "a" nothing, "b" the kind of fact, by train
    questions, "c" questions about dev people, which a reader writes; "" where the recipe is not recorded.
    """
    pretrain = row.run.get("recipe", {}).get("pretrain")
    if pretrain is None:
        return ""
    if pretrain["generated_questions"]:
        return "c"
    return "b" if pretrain["cue_probability"] or pretrain["question_share"] else "a"


@dataclass(frozen=True)
class LadderStep:
    """A row against another one, such as the row above it: runs with the same seed, on the same questions."""

    points: float  # mean change of accuracy over seeds, in percentage points
    # p-value of the paired t-test; nan if the change is the same for every seed: no variance to test with
    over_seeds: float
    # p-value of McNemar's test, in which each question counts once: as gained if more seeds answer it
    # correctly after the change than before, as lost if fewer do
    over_questions: float

    @property
    def p_over_seeds(self) -> str:
        """`over_seeds` as tables write it; empty where it is nan."""
        return p_text(self.over_seeds)

    @property
    def p_over_questions(self) -> str:
        """`over_questions` as tables write it."""
        return p_text(self.over_questions)


def p_text(p: float) -> str:
    """Such as 0.038. Smaller values than a table of so many rows can tell apart are all `<0.001`."""
    if math.isnan(p):
        return ""
    return f"{p:.3f}" if p >= 0.001 else "<0.001"


def ladder_step(rows: Sequence[LadderRow], world: str, lower: str, upper: str) -> LadderStep | None:
    """The change from row `lower` to row `upper`; None where no seed has both."""
    first, second = ({row.seed: row for row in of_row(rows, world, name)} for name in (lower, upper))
    seeds = sorted(first.keys() & second.keys())
    if not seeds:
        return None
    before, after = ([100 * runs[seed].accuracy.value for seed in seeds] for runs in (first, second))
    changes = {round(b - a, 6) for a, b in zip(before, after, strict=True)}
    return LadderStep(
        points=mean_sd(after)[0] - mean_sd(before)[0],
        over_seeds=paired(after, before) if len(changes) > 1 else math.nan,
        over_questions=question_p(*([runs[seed].answers for seed in seeds] for runs in (first, second))),
    )


def question_p(before: Sequence[str], after: Sequence[str]) -> float:
    """McNemar's test over questions. `before` and `after` have a string of 0 and 1 for each seed.

    A question counts once: as gained if more seeds answer it correctly after, as lost if fewer do.

    >>> question_p(["110", "100"], ["111", "101"])
    1.0
    """
    right = [[each.count("1") for each in zip(*answers, strict=True)] for answers in (before, after)]
    changes = [second - first for first, second in zip(*right, strict=True)]
    return mcnemar(sum(change > 0 for change in changes), sum(change < 0 for change in changes))


def compared_with(world: str, name: str) -> str:
    """The row that a row of a world changes in one thing; empty for the first row and for `WHOLE`."""
    if name in WITHOUT:
        return BEST_ROW
    ladder = rows_in(world, LADDER)
    place = ladder.index(name) if name in ladder else 0
    return ladder[place - 1] if place else ""


# Perplexities that a published run of the mini-Transformer lab reports, for one seed on another text: English
# with a vocabulary of thousands of words (ours has 695). So the values are not comparable with ours; the
# ratios between rows are.
PUBLISHED: dict[str, dict[str, float]] = {
    "learned": {"train": 401.0, "dev": 380.8, "single sentence": 280.2},
    "sinusoidal": {"train": 525.0},
    "norm-reweight": {"train": 362.8, "dev": 345.6, "single sentence": 2_200_000.0},
}


@dataclass(frozen=True)
class LabResults:
    """Losses of the mini-Transformer lab in nats per word, one per seed."""

    losses: dict[str, dict[str, list[float]]]  # row → what was measured → one per seed
    batches: dict[str, dict[int, list[float]]]  # row → batch size in evaluation → one per seed
    seeds: int

    def perplexities(self, row: str, what: str) -> list[float]:
        """One per seed."""
        return [math.exp(loss) for loss in self.losses[row][what]]

    def ratio(self, row: str, other: str, what: str) -> tuple[float, float]:
        """Perplexity of `row` over that of `other`, seed by seed: mean and standard deviation."""
        pairs = zip(self.perplexities(row, what), self.perplexities(other, what), strict=True)
        return mean_sd([first / second for first, second in pairs])

    def table(self, rows: tuple[str, ...] = tuple(VARIANTS), columns: tuple[str, ...] = MEASURED) -> str:
        """The perplexities, mean ± standard deviation over seeds (tests compare losses), a line a row."""
        table = [("", *columns)]
        for row in rows:
            cells = (mean_sd(self.perplexities(row, what)) for what in columns)
            table.append((row, *(f"{_perplexity(mean)} ± {_perplexity(sd)}" for mean, sd in cells)))
        name, *widths = (max(map(len, column)) for column in zip(*table, strict=True))
        return "\n".join(
            f"{row:<{name}}" + "".join(map("  {:>{}}".format, cells, widths)) for row, *cells in table
        )


def _perplexity(value: float) -> str:
    """Three digits or more: 7.93, 12.4, 31,482."""
    if value < 10:
        return f"{value:.2f}"
    return f"{value:.1f}" if value < 1000 else f"{value:,.0f}"


def recorded_lab(path: Path | None = None, name: str = "mini_transformer") -> LabResults:
    """The recorded losses of the lab. Raises UserError where the file is missing or cannot be read.

    With `name="street"`, those of the street stories.
    """

    def view(file: dict[str, Any]) -> LabResults:
        figures = file["figures"]
        rows: dict[str, Any] = figures["rows"]
        return LabResults(
            losses={row: measured["losses"] for row, measured in rows.items()},
            batches={
                row: {int(size): losses for size, losses in measured["batches"].items()}
                for row, measured in rows.items()
            },
            seeds=len(figures["seeds"]),
        )

    return recorded(name, view, path)
