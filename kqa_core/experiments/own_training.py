"""Around a training loop that a student has written (notebook 07): a live picture, recorded results.

- `watched` wraps the batches. The loop takes them as usual; loss and accuracy are shown meanwhile. The
  training is the same.
- `recorded_own` are the results of `kqa bench own_training`: the same path with the model answers, for
  several seeds.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor, nn
from torch.optim.optimizer import register_optimizer_step_post_hook

from kqa_core.evaluation.evaluate import probe
from kqa_core.experiments.results import recorded
from kqa_core.model.gpt import GPT
from kqa_core.progress import Progress, probing, progress
from kqa_core.text.corpus import Corpus

Batch = tuple[Tensor, Tensor]
ASKED = 20  # dev questions that are asked during training
STAGES = ("questions only", "text only", "text, then questions")


def watched(batches: Iterable[Batch], model: GPT, steps: int, label: str, corpus: Corpus) -> Iterator[Batch]:
    """The first `steps` of `batches`, for a loop that trains `model`; shows loss and accuracy meanwhile."""
    losses: list[float] = []
    shown: Progress

    def note(module: nn.Module, _: object, output: tuple[Tensor, Tensor | None]) -> None:
        if module.training and output[1] is not None:
            losses.append(float(output[1].detach()))

    def stepped(*_: object) -> None:
        if len(losses) == steps:  # the end: a loop that counts its steps does not ask for another batch
            shown.update(steps, losses[-1])
            opened.close()

    with probing(lambda: probe(model, corpus.vocabulary, corpus.dev[:ASKED])):
        picture = progress(steps, label)
    with contextlib.ExitStack() as opened:
        shown = opened.enter_context(picture)
        opened.callback(model.register_forward_hook(note).remove)
        opened.callback(register_optimizer_step_post_hook(stepped).remove)
        for done, batch in enumerate(batches):
            if done and len(losses) != steps:
                shown.update(done, losses[-1] if losses else None)
            if done == steps:
                return
            yield batch


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
