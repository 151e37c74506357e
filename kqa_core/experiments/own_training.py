"""Around a training loop that a student has written (notebooks 04, 07): a live picture, kept results.

- `WatchedTraining` gives the loop its batches. Loss and accuracy are shown meanwhile. The training is the
  same, also if it was stopped and goes on. In a folder it outlives the kernel: a finished one is loaded, an
  unfinished one goes on. A changed answer or setting is another training (`code_behind`).
- `kept_training` keeps what a short training returned (notebook 04).
- `train_row` trains a row of the ladder with the course's own loop (notebook 08b).
- `recorded_own` are the results of `kqa bench own_training`: the same path with the model answers, for
  several seeds.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from kqa_core.errors import UserError
from kqa_core.evaluation.evaluate import probe
from kqa_core.experiments.results import recorded
from kqa_core.files import write_whole
from kqa_core.model import checkpoint
from kqa_core.model.gpt import GPT
from kqa_core.progress import probing, progress
from kqa_core.text.corpus import Corpus
from kqa_core.training.config import TrainingConfig
from kqa_core.training.loop import Run, resume_path
from kqa_core.training.optimizer import MuonAdamW
from kqa_core.training.recipes import ASSIGNMENT, RECIPES, SMALL, Pretraining
from kqa_core.training.runs import (
    UNREADABLE,
    code_behind,
    code_digest,
    prepare_finetune,
    prepare_pretrain,
    shown,
)  # fmt: skip

Batch = tuple[Tensor, Tensor]
T = TypeVar("T")
ASKED = 20  # dev questions that are asked during training
AT = "%Y-%m-%d at %H:%M"
SAVED = 5.0  # seconds between two saved states of a training
OWN = "a row of your own"  # the recipe of `train_row`
STAGES = ("questions only", "text only", "text, then questions")


class WatchedTraining:
    """A training whose loop a student wrote: it shows loss and accuracy, can be stopped, and then goes on.

    `model` is trained in place by `optimizer`, one step for each of `rates`, on `batches` of (x, y), int64
    (B, T). The dev questions of `corpus` are asked meanwhile; this changes nothing in the training.
    With a `folder`, the training is kept there under its `label`, and the same training in a new kernel is
    loaded or goes on. The same: start, first batch, numbers, our code, and the code of loop and batches.
    """

    def __init__(
        self,
        model: GPT,
        optimizer: torch.optim.Optimizer,
        batches: Iterable[Batch],
        rates: Sequence[float],
        label: str,
        corpus: Corpus,
        folder: Path | None = None,
    ) -> None:
        self.model, self.optimizer, self.batches = model, optimizer, iter(batches)
        self.rates, self.label, self.corpus = list(rates), label, corpus
        self.path = None if folder is None else folder / f"{label.replace(' ', '_')}.run"
        self.losses: list[float] = []  # of the finished steps
        self._source = batches
        self._start = ""  # a digest of what the first step starts from
        self._keys: set[str] = set()  # of the trainings that took the finished steps
        self._used = 0  # batches of the finished steps
        self._loss = 0.0
        self._given: deque[Batch] = deque()  # to the loop, whose steps are not finished

    def run(self, train: Callable[..., list[float]], max_norm: float = 1.0) -> list[float]:
        """`train(model, optimizer, batches, rates, max_norm)` for the steps that are not done yet.

        Returns the losses of all steps. If it is interrupted, another call goes on after the last step that
        was finished, on the batch that was meant for the next one.
        """
        total = len(self.rates)
        if self.path is not None and len(self.losses) < total:
            key = self._key(train, max_norm)
            if not self.losses:
                self._load(self.path, key)
            self._keys.add(key)
        before = list(self.losses)
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
        after = before + list(losses)
        whole = len(self.losses) == len(after) == total and all(isinstance(loss, float) for loss in after)
        if self.path is not None and whole:
            try:
                self._save(self.path, after)
            except OSError as error:
                print(f"{shown(self.path)}: could not be written ({error.strerror}); a restart trains anew")
        return after

    def _key(self, train: Callable[..., object], max_norm: float) -> str:
        """A digest of all that the result depends on. Before the first step, it looks at the first batch."""
        if not self._start:
            first = next(self.batches, None)
            if first is not None:
                self.batches = chain([first], self.batches)
            tensors = [*self.model.state_dict().values(), *(first or ())]
            digest = hashlib.sha256(b"".join(tensor.numpy().tobytes() for tensor in tensors))
            groups = [{k: v for k, v in g.items() if k != "params"} for g in self.optimizer.param_groups]
            numbers = (self.model.config, type(self.optimizer).__name__, groups, self.rates)
            digest.update(f"{numbers} {self.corpus.documents_sha256} {code_digest()}".encode())
            self._start = digest.hexdigest()
        return f"{self._start} {max_norm} {code_behind(train)} {code_behind(self._source)}"

    def _load(self, path: Path, key: str) -> None:
        """Take over the training at `path`, finished or not, if it is this one; else say why not."""
        if not path.exists():
            return
        try:
            saved = torch.load(path, weights_only=True)
            known, losses, at = saved["key"], saved["losses"], saved["at"]
            if known == key:
                self.model.load_state_dict(saved["model"])
        except UNREADABLE:
            print(f"{shown(path)} cannot be read, so the training begins anew.")
            return
        if known != key:
            print(f"{shown(path)} is of other code, data or settings, so the training begins anew.")
            return
        if len(losses) == len(self.rates):
            print(
                f"{self.label}: loaded from {shown(path)}, trained on {at}. To train anew, delete this file"
                " and run the last two cells again."
            )
        else:
            print(f"{self.label}: goes on at step {len(losses)}, saved in {shown(path)} on {at}.")
            for state, kept in zip(_states(self.optimizer), saved["states"], strict=True):
                state.update(kept)
            torch.set_rng_state(saved["random"])
            for _ in islice(self.batches, saved["used"]):
                pass
        self.losses, self._used = losses, saved["used"]

    def _save(self, path: Path, losses: list[float]) -> None:
        """Keep the training as it is now, unless its code was changed on the way. Raises OSError."""
        if len(self._keys) != 1:
            return
        [key], content = self._keys, io.BytesIO()
        saved: dict[str, Any] = {"key": key, "losses": losses, "used": self._used}
        saved |= {"at": time.strftime(AT), "model": self.model.state_dict()}
        if len(losses) < len(self.rates):
            saved |= {"states": _states(self.optimizer), "random": torch.get_rng_state()}
        torch.save(saved, content)
        write_whole(path, content.getvalue())

    def _watched(self) -> Generator[Batch, None, None]:
        """The batches of the steps that are not done yet; shows loss and accuracy, and saves, meanwhile."""
        total, saved = len(self.rates), time.monotonic()

        def note(module: nn.Module, _: object, output: tuple[Tensor, Tensor | None]) -> None:
            if module.training and output[1] is not None:
                self._loss = float(output[1].detach())

        def stepped(*_: object) -> None:
            nonlocal saved
            if self._given:  # a loop may take two steps on a batch
                self._given.popleft()
                self._used += 1
            self.losses.append(self._loss)
            drawn.update(len(self.losses), self._loss)
            if self.path is not None and len(self.losses) < total and time.monotonic() - saved >= SAVED:
                with contextlib.suppress(OSError):  # the end says it
                    self._save(self.path, self.losses)
                saved = time.monotonic()
            if len(self.losses) == total:  # a loop that counts its steps does not ask for another batch
                opened.close()

        with probing(lambda: probe(self.model, self.corpus.vocabulary, self.corpus.dev[:ASKED])):
            picture = progress(total, self.label, start=len(self.losses))
        with contextlib.ExitStack() as opened:
            drawn = opened.enter_context(picture)
            opened.callback(self.model.register_forward_hook(note).remove)
            opened.callback(self.optimizer.register_step_post_hook(stepped).remove)
            again = list(self._given)
            self._given.clear()
            for batch in islice(chain(again, self.batches), total - len(self.losses)):
                self._given.append(batch)
                yield batch


def _states(optimizer: torch.optim.Optimizer) -> list[dict[str, Any]]:
    """The optimizer's state of each parameter; the dicts themselves, so that they can be filled."""
    parts = (optimizer.adamw, optimizer.muon) if isinstance(optimizer, MuonAdamW) else (optimizer,)
    return [part.state[p] for part in parts for group in part.param_groups for p in group["params"]]


def kept_training(path: Path, train: Callable[..., T], *arguments: object) -> T:
    """`train(*arguments)`, or what it returned before, if the file `path` holds it.

    For a training too short to be stopped, whose result consists of tensors, numbers, texts, lists, tuples
    and dicts. Changed code (`code_behind`), ours or the student's, or other arguments are another training,
    which replaces the first. Fails as `train` does.
    """
    key = f"{code_digest()} {code_behind(train)} {arguments}"
    if path.exists():
        reason = "is of other code or settings"
        try:
            saved = torch.load(path, weights_only=True)
            if saved["key"] == key:
                print(f"loaded from {shown(path)}, trained on {saved['at']}; delete this file to train anew")
                result: T = saved["result"]
                return result
        except UNREADABLE:
            reason = "cannot be read"
        print(f"{shown(path)} {reason}, so the training begins anew.")
    result, content = train(*arguments), io.BytesIO()
    torch.save({"key": key, "at": time.strftime(AT), "result": result}, content)
    try:
        write_whole(path, content.getvalue())
    except OSError as error:
        print(f"{shown(path)}: could not be written ({error.strerror}); a restart trains anew")
    return result


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
    with probing(lambda: probe(run.model, corpus.vocabulary, corpus.dev[:ASKED])):
        train_once(run, place)
    return prepare_finetune("rope", corpus, place, config).train(show=False).model.eval()


def train_once(run: Run, place: Path, show: bool = True) -> None:
    """Train `run` into the checkpoint `place`, or go on with it. If it is there already, a line says so.

    A damaged checkpoint is named and replaced, and that of another run is replaced. Raises UserError for a
    folder that cannot be used.
    """
    known: list[object] = []
    for path in (place, resume_path(place)):
        checkpoint.recover(path)
        try:
            known.append(checkpoint.load(path).notes.get("run") if path.is_dir() else None)
        except UserError:
            print(f"{shown(path)} cannot be read, so the training begins anew.")
            known.append(None)
    if known[0] == run.description:
        print(f"loaded from {shown(place)}; delete this folder to train anew")
        return
    if known[1] != run.description:  # of other data, numbers or code: this folder is for our runs
        checkpoint.discard(resume_path(place))
    try:
        run.train(place, show, save_seconds=SAVED)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"{place.name}: stopped: run this cell again, and the training goes on from the last saved state;"
            " the cells below need its result"
        ) from None


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
