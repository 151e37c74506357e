"""Around a training loop that a student has written (notebook 07): a live picture, recorded results.

- `WatchedTraining` gives the loop its batches. Loss and accuracy are shown meanwhile. The training is the
  same, also if it was stopped and goes on.
- `train_row` trains a row of the ladder with the course's own loop (notebook 08b).
- `recorded_own` are the results of `kqa bench own_training`: the same path with the model answers, for
  several seeds.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path

import torch
from torch import Tensor, nn

from kqa_core.evaluation.evaluate import probe
from kqa_core.experiments.results import recorded
from kqa_core.model import checkpoint
from kqa_core.model.gpt import GPT
from kqa_core.progress import probing, progress
from kqa_core.text.corpus import Corpus
from kqa_core.training.config import TrainingConfig
from kqa_core.training.recipes import ASSIGNMENT, RECIPES, SMALL, Pretraining
from kqa_core.training.runs import prepare_finetune, prepare_pretrain

Batch = tuple[Tensor, Tensor]
ASKED = 20  # dev questions that are asked during training
SAVED = 5.0  # seconds between two saved states of a row
OWN = "a row of your own"  # the recipe of `train_row`
STAGES = ("questions only", "text only", "text, then questions")


class WatchedTraining:
    """A training whose loop a student wrote: it shows loss and accuracy, can be stopped, and then goes on.

    `model` is trained in place by `optimizer`, one step for each of `rates`, on `batches` of (x, y), int64
    (B, T). The dev questions of `corpus` are asked meanwhile; this changes nothing in the training.
    """

    def __init__(
        self,
        model: GPT,
        optimizer: torch.optim.Optimizer,
        batches: Iterable[Batch],
        rates: Sequence[float],
        label: str,
        corpus: Corpus,
    ) -> None:
        self.model, self.optimizer, self.batches = model, optimizer, iter(batches)
        self.rates, self.label, self.corpus = list(rates), label, corpus
        self.losses: list[float] = []  # of the finished steps
        self._loss = 0.0
        self._given: deque[Batch] = deque()  # to the loop, whose steps are not finished

    def run(self, train: Callable[..., list[float]], max_norm: float = 1.0) -> list[float]:
        """`train(model, optimizer, batches, rates, max_norm)` for the steps that are not done yet.

        Returns the losses of all steps. If it is interrupted, another call goes on after the last step that
        was finished, on the batch that was meant for the next one.
        """
        before, total = list(self.losses), len(self.rates)
        if len(before) == total:
            return before
        batches = self._watched()
        try:
            losses = train(self.model, self.optimizer, batches, self.rates[len(before) :], max_norm)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"{self.label}: stopped at step {len(self.losses)} of {total}: run this cell again, and the"
                " training goes on there; the cells below need its result"
            ) from None
        finally:
            batches.close()
        return before + list(losses)

    def _watched(self) -> Generator[Batch, None, None]:
        """The batches of the steps that are not done yet; shows loss and accuracy meanwhile."""
        total = len(self.rates)

        def note(module: nn.Module, _: object, output: tuple[Tensor, Tensor | None]) -> None:
            if module.training and output[1] is not None:
                self._loss = float(output[1].detach())

        def stepped(*_: object) -> None:
            if self._given:  # a loop may take two steps on a batch
                self._given.popleft()
            self.losses.append(self._loss)
            shown.update(len(self.losses), self._loss)
            if len(self.losses) == total:  # a loop that counts its steps does not ask for another batch
                opened.close()

        with probing(lambda: probe(self.model, self.corpus.vocabulary, self.corpus.dev[:ASKED])):
            picture = progress(total, self.label, start=len(self.losses))
        with contextlib.ExitStack() as opened:
            shown = opened.enter_context(picture)
            opened.callback(self.model.register_forward_hook(note).remove)
            opened.callback(self.optimizer.register_step_post_hook(stepped).remove)
            again = list(self._given)
            self._given.clear()
            for batch in islice(chain(again, self.batches), total - len(self.losses)):
                self._given.append(batch)
                yield batch


def train_row(name: str, pretrain: Pretraining, corpus: Corpus, folder: Path, steps: int) -> GPT:
    """A rotary model of recipe `small`'s size, pretrained as `pretrain` says and finetuned as the assignment
    does, on `corpus`.

    `folder / name` holds it after pretraining, so another call does not pretrain again. If it is interrupted,
    another call goes on from the state that was saved last, at most `SAVED` seconds before. Raises UserError
    for a folder that cannot be used.
    """
    RECIPES[OWN] = replace(SMALL, pretrain=pretrain, finetune=ASSIGNMENT.finetune)
    place, config = folder / name, TrainingConfig(recipe=OWN, device="cpu")
    run = prepare_pretrain("rope", corpus, config, steps=steps)
    known = checkpoint.load(place).notes.get("run") if place.is_dir() else None
    if known != run.description:
        try:
            with probing(lambda: probe(run.model, corpus.vocabulary, corpus.dev[:ASKED])):
                run.train(place, save_seconds=SAVED)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"{name}: stopped: run this cell again, and the training goes on from the last saved state;"
                " the cells below need its result"
            ) from None
    return prepare_finetune("rope", corpus, place, config).train(show=False).model.eval()


@dataclass(frozen=True)
class OwnRuns:
    """Right answers to the dev questions, one number for each seed."""

    right: dict[str, list[int]]  # stage → one per seed
    questions: int
    seconds: list[float]  # of pretraining, per seed
    machine: str

    def table(self) -> str:
        """One line for each seed."""
        widths = [len(stage) for stage in STAGES]
        lines = ["seed   " + "   ".join(STAGES)]
        for seed in range(len(self.seconds)):
            cells = (
                f"{self.right[stage][seed]:>{width}}" for stage, width in zip(STAGES, widths, strict=True)
            )
            lines.append(f"{seed:>4}   " + "   ".join(cells))
        return "\n".join(lines)


def recorded_own(path: Path | None = None) -> OwnRuns:
    """The recorded runs. Raises UserError where the file is missing or cannot be read."""
    return recorded(
        "own_training",
        lambda file: OwnRuns(
            right={stage: list(file["figures"]["right"][stage]) for stage in STAGES},
            questions=int(file["figures"]["questions"]),
            seconds=[float(time) for time in file["figures"]["seconds"]],
            machine=f"{file['machine']['processor']}, {file['machine']['cores']} cores",
        ),
        path,
    )
