"""The training loop: one `Run`, from its first step or from the saved state of a killed run.

- A run is a function of its description. Batches, dropout and initial weights depend on (seed, step) only. So
  a run that was killed at any moment and resumed ends with the same weights as without the interruption: on a
  CPU with as many threads, bit for bit.
- The state of an unfinished run is in `PATH.resume`, beside the path that is written at the end; it is
  removed then. The state of a *different* run is neither overwritten nor continued: the error says what
  differs.
- An engine takes the steps: `CpuEngine` here trims rows and reads every loss; `kqa_core.training.gpu_engine`
  for GPUs does not wait for losses. Both call `kqa_core.training.step.take_step`.
- One process trains on one device: a model of 3 million parameters trains in minutes there.
- Denormal floats are flushed to 0 on a CPU during training. They would make a step of recipe `best` 1.5 times
  as long by its middle.
- Products are computed in bfloat16 where that is faster, else in float32; the description states which
  (`kqa_core.training.precision`).
- The parts of a batch go through the model at the same time, each in a thread of its own, where nothing is
  random. Small products gain little from two threads each. The result is that of one thread, bit for bit.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.errors import UserError, differing
from kqa_core.model import checkpoint
from kqa_core.model.checkpoint import Checkpoint
from kqa_core.model.config import PAD_INDEX
from kqa_core.model.gpt import GPT
from kqa_core.model.variant_registry import shipped_names
from kqa_core.progress import progress
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.training.batches import Batch, Batches
from kqa_core.training.optimizer import Optimizer
from kqa_core.training.packing import packed_logits, row_lengths
from kqa_core.training.recipes import Phase
from kqa_core.training.schedule import FINAL_EPOCHS, linear_decay, warmup_cosine
from kqa_core.training.step import diverged, take_step

CPU = torch.device("cpu")
SAVE_SECONDS = 20.0  # between two saved states of an unfinished run
PART = 32  # rows of similar length that go through the model together


@dataclass
class Trained:
    """A finished run."""

    model: GPT
    vocabulary: Vocabulary
    losses: list[float]  # of every step, in nats per target
    rates: list[float]  # the schedule's factor at every step
    seconds: float  # wall-clock time of this process, with writing
    resumed_at: int = 0  # the step at which this process continued a killed one
    description: dict[str, Any] = field(default_factory=dict)  # of the run


class Engine(Protocol):
    """Takes the steps of a run."""

    optimizer: Optimizer

    def context(self) -> AbstractContextManager[None]:
        """The context in which steps are taken."""

    def submit(self, first: int) -> int:
        """Take or start one or more steps from step `first` on. Returns the number of steps."""

    def collect(self, wait: bool = False) -> list[float]:
        """The losses that have become known since the last call; with `wait`, those of all steps started."""


@dataclass
class Run:
    """Everything a training run needs. `description` is all that its result depends on, as JSON values."""

    model: GPT  # as it starts; trained in place
    vocabulary: Vocabulary
    source: Batches
    phase: Phase
    description: dict[str, Any]
    seed: int
    steps: int
    documents: int  # of the pretraining corpus: the assignment's schedule depends on it, even in finetuning
    device: torch.device = CPU  # for training; before and after it the model is on the CPU

    @property
    def bfloat16(self) -> bool:
        """Whether products are in bfloat16; else they are in float32."""
        return bool(self.description["precision"] == "bfloat16")

    def lr_factor(self, step: int) -> float:
        """The factor on every learning rate at this step."""
        if self.phase.schedule == "anneal":
            return linear_decay(step, self.steps)
        tokens = self.source.rows_through(step) * self.source.row_length  # with padding, as in the original
        return warmup_cosine(tokens, FINAL_EPOCHS * self.documents * self.model.config.block_size)

    def train(
        self,
        writing: str | Path | None = None,
        show: bool = True,
        save_seconds: float = SAVE_SECONDS,
        watch: Callable[[int], None] | None = None,
    ) -> Trained:
        """Train to the end, and write the model to `writing` if given. Raises UserError if it cannot.

        `watch`, if given, is called with the number of steps that `self.model` has taken: after each step on
        a CPU, after each round of steps on a GPU. It may evaluate the model.
        """
        began = time.monotonic()
        resume = None if writing is None else resume_path(writing)
        rates = [self.lr_factor(step) for step in range(self.steps)]
        self.model.to(self.device)
        engine = self._engine(rates)
        losses = [] if resume is None else self._resume(resume, engine.optimizer)
        begun = start = len(losses)
        saved = time.monotonic()
        label = f"{self.description['what']} {self.model.config.variant}"
        self.model.train()
        generators = [self.device] if self.device.type == "cuda" else []
        with (
            torch.random.fork_rng(generators),
            engine.context(),
            progress(self.steps, label, show, start) as shown,
        ):
            while len(losses) < self.steps:
                if begun < self.steps:
                    begun += engine.submit(begun)
                losses += engine.collect(wait=begun == self.steps)
                if losses:
                    shown.update(len(losses), losses[-1])
                if watch is not None:
                    watch(begun)
                due = begun < self.steps and time.monotonic() - saved >= save_seconds
                if resume is not None and due:
                    losses += engine.collect(wait=True)
                    self._save(resume, losses, engine.optimizer)
                    saved = time.monotonic()
        self.model.eval()
        self.model.to(CPU)
        if writing is not None and resume is not None:
            self._save(Path(writing), losses, None)
            checkpoint.discard(resume)
        return Trained(
            model=self.model,
            vocabulary=self.vocabulary,
            losses=losses,
            rates=rates,
            seconds=time.monotonic() - began,
            resumed_at=start,
            description=self.description,
        )

    def _engine(self, rates: list[float]) -> Engine:
        if self.device.type == "cpu":
            return CpuEngine(self, rates)
        from kqa_core.training.gpu_engine import GpuEngine

        return GpuEngine(
            self.model,
            self.source,
            self.phase.optimizer,
            rates,
            batch_size=self.phase.batch_size,
            seed=self.seed,
            device=self.device,
            bfloat16=self.bfloat16,
        )

    def _save(self, path: Path, losses: list[float], optimizer: Optimizer | None) -> None:
        content = Checkpoint(
            model=self.model,
            vocabulary=self.vocabulary,
            step=len(losses),
            seed=self.seed,
            recipe=str(self.description["recipe"]),
            optimizer=None if optimizer is None else optimizer.state_tensors(),
            notes={"run": self.description, "losses": losses},
        )
        checkpoint.save(path, content)

    def _resume(self, resume: Path, optimizer: Optimizer) -> list[float]:
        """Load the state of this run at `resume`, if any, and return its losses so far.
        Raises UserError for the state of another run.
        """
        checkpoint.recover(resume)
        if not resume.exists():
            return []
        state = checkpoint.load(resume)
        theirs = state.notes.get("run")
        if not isinstance(theirs, dict) or state.optimizer is None:
            raise UserError(f"{resume}: not the state of an unfinished run: move it away, or write elsewhere")
        if theirs != self.description:
            differs = differing(self.description, theirs)
            raise UserError(
                f"{resume}: the state of another run that was stopped (other {differs}): "
                "repeat that command to finish it, or remove the directory to start again"
            )
        losses = [float(loss) for loss in state.notes.get("losses", [])]
        if len(losses) != state.step or state.step > self.steps:
            raise UserError(
                f"{resume}: damaged (step {state.step}, {len(losses)} losses): remove the directory to start"
                " again"
            )
        self.model.load_state_dict(state.model.state_dict())
        optimizer.load_state_tensors(state.optimizer)
        return losses


class CpuEngine:
    """The engine for a CPU: one step at a time, with trimmed rows."""

    def __init__(self, run: Run, rates: list[float]) -> None:
        self.run, self.rates = run, rates
        self.optimizer = Optimizer(run.model, run.phase.optimizer)
        self.pool: ThreadPoolExecutor | None = None  # for the parts of a batch
        self._known: list[float] = []

    @contextmanager
    def context(self) -> Iterator[None]:
        """Denormal floats are 0 inside, and the parts of a batch have threads."""
        with without_denormals(), part_threads(self.run) as self.pool:
            yield
        self.pool = None

    def submit(self, first: int) -> int:
        """Take one step. Raises UserError if its gradient is not finite."""
        seed = self.run.seed * 1_000_003 + first

        def gradient(batch: Batch) -> float:
            return loss_and_gradient(self.run.model, batch, self.run.bfloat16, seed, self.pool)

        try:
            loss, _ = take_step(self.run.source.batch(first), gradient, self.optimizer, self.rates[first])
        except FloatingPointError as error:
            raise diverged(first, error) from None
        self._known = [float(loss)]
        return 1

    def collect(self, wait: bool = False) -> list[float]:
        """The loss of the last step, once."""
        known, self._known = self._known, []
        return known


@contextmanager
def without_denormals() -> Iterator[None]:
    """Flush floats below 1.2e-38 to 0: they multiply slowly, and GELU makes many in a trained model.

    torch sets this for the calling thread; threads that torch starts inside inherit it and keep it. Threads
    that were started before, by an earlier large product, are not affected.
    """
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


@contextmanager
def part_threads(run: Run) -> Iterator[ThreadPoolExecutor | None]:
    """Threads for the parts of a batch of `run`, as many as torch has. Products in a part get the rest.

    None if there is one part or one thread, if products are in bfloat16 (not measured), if the model draws
    random numbers, or if its attention is a student's, which may not allow two calls at once.
    """
    config, threads = run.model.config, torch.get_num_threads()
    workers = min(threads, round(run.phase.batch_size / PART))
    dropout = config.embedding_dropout or config.attention_dropout or config.residual_dropout
    drawn = dropout or config.fusion == "shuffle"
    if workers < 2 or drawn or run.bfloat16 or config.variant not in shipped_names():
        yield None
        return
    try:
        with ThreadPoolExecutor(
            workers, initializer=torch.set_num_threads, initargs=(threads // workers,)
        ) as pool:
            yield pool
    finally:
        torch.set_num_threads(threads)  # a worker's number is also that of threads that start later


def resume_path(writing: str | Path) -> Path:
    """The path of the state of an unfinished run that will write `writing`."""
    return Path(f"{writing}.resume")


def loss_and_gradient(
    model: GPT, batch: Batch, bfloat16: bool, seed: int = 0, pool: ThreadPoolExecutor | None = None
) -> float:
    """The mean loss over a batch's targets. Adds its gradient to the parameters.

    Rows go through the model in parts of similar length, each trimmed to its longest row and without its
    padding (`kqa_core.training.packing`): one after the other, or in the threads of `pool`. Gradients are
    added in the order of the parts. A part's dropout depends on (`seed`, part) only; with a pool, there must
    be none.
    """
    x, y = batch
    lengths = row_lengths(y)  # (B,)
    parts = lengths.argsort(stable=True).chunk(max(1, round(len(x) / PART)))
    targets = max(1, int((y != PAD_INDEX).sum()))
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]

    def of_part(part: int) -> tuple[float, tuple[Tensor | None, ...]]:
        if pool is None:
            torch.manual_seed((seed + (part << 40)) % 2**63)
        rows = parts[part]
        used = max(1, int(lengths[rows].max()))
        wanted = y[rows, :used]  # (B, T)
        with torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
            logits = packed_logits(model, x[rows, :used], wanted)  # (K, vocab_size)
        loss = F.cross_entropy(logits.float(), wanted[wanted != PAD_INDEX], reduction="sum") / targets
        return float(loss.detach()), torch.autograd.grad(loss, parameters, allow_unused=True)

    losses = []
    for loss, gradients in (map if pool is None else pool.map)(of_part, range(len(parts))):
        losses.append(loss)
        for parameter, gradient in zip(parameters, gradients, strict=True):
            if gradient is not None:
                parameter.grad = gradient if parameter.grad is None else parameter.grad + gradient
    return math.fsum(losses)
