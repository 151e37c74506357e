"""The knowledge table: a model's accuracy on a world's questions, beside baselines and the ceiling.

    majority · London · no pretraining · pretrained · ceiling    accuracy on dev questions, 95 % intervals

- `measure_knowledge(world)` trains three times (from scratch, pretrain, finetune) and evaluates; minutes on
  the small world.
- During training, the accuracy of some dev questions is shown beside the loss. The training is the same, bit
  for bit.
- With `runs`, checkpoints are kept in that folder: after an interruption the same call continues, and
  `reuse=True` uses finished runs with the same data, recipe, seed and code. Without `runs`, all files are
  deleted at the end.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kqa_core.errors import UserError
from kqa_core.evaluation.baselines import CAPITAL, ceiling, constant, majority_place
from kqa_core.evaluation.evaluate import evaluate, probe
from kqa_core.model import checkpoint
from kqa_core.progress import probing
from kqa_core.stats import Proportion
from kqa_core.text.corpus import Corpus, read_corpus
from kqa_core.text.packaged import shipped
from kqa_core.training.loop import resume_path
from kqa_core.training.recipes import find_recipe
from kqa_core.training.runs import Run, Trained, prepare_finetune, prepare_pretrain

VARIANT = "rope"
WATCHED = 20  # dev questions for the accuracy during training; the table uses all of them, at the end


@dataclass(frozen=True)
class KnowledgeRow:
    """One line of the table."""

    name: str  # majority, London, no pretraining, pretrained, ceiling
    accuracy: Proportion  # of the dev questions
    seconds: float = 0.0  # of training, wall-clock time; 0 for rows without training
    reused: bool = False  # whether a finished run in `runs` was used


def measure_knowledge(
    world_dir: str | Path,
    recipe: str = "small",
    seed: int = 0,
    progress: bool = True,
    *,
    runs: str | Path | None = None,
    reuse: bool = False,
) -> list[KnowledgeRow]:
    """Train on the corpus in `world_dir` and evaluate on its dev questions, with and without pretraining.

    Raises UserError if the corpus or the recipe cannot be used.
    """
    find_recipe(recipe)
    corpus = read_corpus(world_dir)
    if reuse and runs is None:
        raise UserError("reuse needs a folder of runs: give `runs` too")
    place = majority_place(corpus.train)
    rows = [
        KnowledgeRow(f"majority ({place})", constant(corpus.dev, place)),
        KnowledgeRow(f"always {CAPITAL}", constant(corpus.dev, CAPITAL)),
    ]
    folder = Path(tempfile.mkdtemp(prefix="kqa-")) if runs is None else Path(runs)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        runs_of_table = _Runs(
            folder=folder, corpus=corpus, recipe=recipe, seed=seed, show=progress, reuse=reuse
        )
        rows.append(runs_of_table.from_scratch())
        rows.append(runs_of_table.pretrained())
    except OSError as error:
        raise UserError(
            f"{folder}: runs could not be written there ({error.strerror}): give another folder"
        ) from None
    finally:
        if runs is None:
            shutil.rmtree(folder, ignore_errors=True)
    rows.append(KnowledgeRow("ceiling", ceiling(corpus.dev, corpus.documents)))
    return rows


def train_and_show(again: bool, runs: Path) -> None:
    """Train on the shipped small world and print the table; `again` ignores finished runs."""
    print("What the model knows: dev questions of the small world")
    print(
        format_table(measure_knowledge(shipped("world/small"), runs=runs / "small_world", reuse=not again)),
        flush=True,
    )


def format_table(rows: Sequence[KnowledgeRow]) -> str:
    """The table as text, one line for each row."""
    wide = max(len(row.name) for row in rows)
    lines = [f"{'':{wide}}  {'right':>9}  {'accuracy':>8}  {'95 % interval':>14}  {'training':>9}"]
    for row in rows:
        low, high = row.accuracy.interval
        took = "reused" if row.reused else f"{row.seconds:.0f} s" if row.seconds else ""
        right = f"{row.accuracy.hits} of {row.accuracy.total}"
        between = f"{100 * low:.1f} to {100 * high:.1f}"
        lines.append(
            f"{row.name:{wide}}  {right:>9}  {100 * row.accuracy.value:>6.1f} %  {between:>14}"
            f"  {took:>9}".rstrip()
        )
    return "\n".join(lines)


@dataclass(frozen=True)
class _Runs:
    """The table's training runs, in one folder."""

    folder: Path
    corpus: Corpus
    recipe: str
    seed: int
    show: bool
    reuse: bool

    def from_scratch(self) -> KnowledgeRow:
        """Finetuned without pretraining."""
        done = self._finetune("scratch", None)
        return self._evaluate("no pretraining", self._path("scratch"), [done])

    def pretrained(self) -> KnowledgeRow:
        """Pretrained, then finetuned."""
        path = self._path("pretrain")
        run = prepare_pretrain(VARIANT, self.corpus, recipe=self.recipe, seed=self.seed)
        first = self._train(run, path)
        second = self._finetune("finetune", path)
        return self._evaluate("pretrained", self._path("finetune"), [first, second])

    def _path(self, name: str) -> Path:
        return self.folder / f"{VARIANT}.{self.recipe}.{self.seed}.{name}.params"

    def _finetune(self, name: str, reading: Path | None) -> Trained | None:
        run = prepare_finetune(VARIANT, self.corpus, reading, recipe=self.recipe, seed=self.seed)
        return self._train(run, self._path(name))

    def _train(self, run: Run, path: Path) -> Trained | None:
        """The finished run; None if an earlier one can be used instead."""
        if self.reuse and _made_by(run, path):
            return None
        resume = resume_path(path)
        if resume.exists() and not _made_by(run, resume):
            # of other data, another recipe or older code: this folder is for our runs
            checkpoint.discard(resume)
        with probing(lambda: probe(run.model, run.vocabulary, self.corpus.dev[:WATCHED])):
            return run.train(path, self.show)

    def _evaluate(self, name: str, path: Path, done: list[Trained | None]) -> KnowledgeRow:
        model = checkpoint.load(path)
        result = evaluate(model.model, model.vocabulary, self.corpus.dev)
        seconds = sum(trained.seconds for trained in done if trained is not None)
        return KnowledgeRow(name, result.accuracy, seconds, reused=not any(done))


def _made_by(run: Run, path: Path) -> bool:
    """Whether the checkpoint at `path` is the result of this same run."""
    try:
        return checkpoint.load(path).notes.get("run") == run.description
    except UserError:
        return False
