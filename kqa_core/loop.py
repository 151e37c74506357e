"""The training loop: one `Run`, from its first step or from the state of a killed one.

- A run is a function of its description. Batches, dropout and initial weights depend on (seed, step) alone, so a run that was
  killed at any moment and started again ends with the weights it would have had: bit for bit, on a CPU with as many threads.
- The state of a run under way lies in `PATH.resume`, beside the path that is written at its end, and goes when that is written.
  State of a *different* run there is never overwritten or continued: it is named, with what differs.
- bfloat16 on a CPU only where it gains: a processor with bfloat16 instructions, and a model wide enough (see `uses_bfloat16`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F

from kqa_core import checkpoint
from kqa_core.batches import Batch, Batches
from kqa_core.checkpoint import Checkpoint
from kqa_core.errors import UserError
from kqa_core.gpt import GPT, PAD_INDEX, GPTConfig
from kqa_core.optim import Optimizer
from kqa_core.progressbar import progress
from kqa_core.recipes import Phase
from kqa_core.text.vocabulary import Vocabulary

SAVE_SECONDS = 20.0  # between two states of a run under way
WARMUP_TOKENS = 512 * 20  # of the assignment's schedule
FINAL_EPOCHS = 200  # of the pretraining corpus: where the assignment's cosine would end
ANNEAL_FROM = 0.5  # share of a run after which our rate falls to 0 in a straight line
MICRO_BATCH = 32  # rows of similar length that go through the model together


@dataclass
class Trained:
    """A finished run."""

    model: GPT
    vocabulary: Vocabulary
    losses: list[float]  # of every step, nats per target
    rates: list[float]  # the schedule's factor at every step
    seconds: float  # of this process, writing included
    cpu_seconds: float  # summed over processors
    resumed_at: int = 0  # the step at which this process took over from a killed one
    description: dict[str, Any] = field(default_factory=dict)  # what the run was


@dataclass
class Run:
    """All a training run needs. `description` is everything its result depends on, as JSON would give it back."""

    model: GPT  # as it starts; trained in place
    vocabulary: Vocabulary
    source: Batches
    phase: Phase
    description: dict[str, Any]
    seed: int
    steps: int
    documents: int  # of the pretraining corpus: the assignment's schedule counts in them, even when finetuning

    def rate(self, step: int) -> float:
        """The factor on every learning rate at this step."""
        if self.phase.schedule == "anneal":
            return factor_anneal(step, self.steps)
        tokens = self.source.rows_through(step) * self.source.row_length  # padding counts, as in the original
        return factor_assignment(tokens, FINAL_EPOCHS * self.documents * self.model.config.block_size)

    def train(
        self,
        writing: str | Path | None = None,
        show: bool = True,
        save_seconds: float = SAVE_SECONDS,
        watch: Callable[[int], None] | None = None,
    ) -> Trained:
        """Train to the end, and write the model to `writing` if given. Raises UserError for what stands in the way.

        `watch`, if given, is called after each step with the number of steps done; it may look at `self.model`.
        """
        began, cpu = time.monotonic(), time.process_time()
        model, optimizer = self.model, Optimizer(self.model, self.phase.optimizer)
        resume = None if writing is None else resume_path(writing)
        if resume is not None:
            checkpoint.recover(resume)
        losses = self._take_over(resume, optimizer) if resume is not None and resume.exists() else []
        start, saved = len(losses), time.monotonic()
        rates = [self.rate(step) for step in range(self.steps)]
        bfloat16 = uses_bfloat16(model.config)
        label = f"{self.description['what']} {model.config.variant}"
        model.train()
        with torch.random.fork_rng(devices=[]), progress(self.steps, label, show, start) as shown:
            for step in range(start, self.steps):
                torch.manual_seed((self.seed * 1_000_003 + step) % 2**63)  # dropout
                optimizer.set_factor(rates[step])
                losses.append(loss_and_gradient(model, self.source.batch(step), bfloat16))
                try:
                    optimizer.step()
                except FloatingPointError as error:
                    advice = "take another seed, or a recipe with a lower rate"
                    raise UserError(f"training broke down at step {step} ({error}): {advice}") from None
                shown.update(step + 1, losses[-1])
                if watch is not None:
                    watch(step + 1)
                if resume is not None and time.monotonic() - saved >= save_seconds and step + 1 < self.steps:
                    self._save(resume, losses, optimizer)
                    saved = time.monotonic()
        model.eval()
        if writing is not None:
            self._save(Path(writing), losses, None)
            checkpoint.discard(resume_path(writing))
        taken = time.monotonic() - began, time.process_time() - cpu
        return Trained(model, self.vocabulary, losses, rates, *taken, start, self.description)

    def _save(self, path: Path, losses: list[float], optimizer: Optimizer | None) -> None:
        state = None if optimizer is None else optimizer.state_tensors()
        notes = {"run": self.description, "losses": losses}
        recipe = str(self.description["recipe"])
        checkpoint.save(path, Checkpoint(self.model, self.vocabulary, len(losses), self.seed, recipe, state, notes))

    def _take_over(self, resume: Path, optimizer: Optimizer) -> list[float]:
        """Continue from the state of a killed run. Returns its losses so far."""
        state = checkpoint.load(resume)
        theirs = state.notes.get("run")
        if not isinstance(theirs, dict) or state.optimizer is None:
            raise UserError(f"{resume}: not the state of a run under way: move it away, or write elsewhere")
        if theirs != self.description:
            ours = self.description
            differs = sorted(key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key))
            raise UserError(
                f"{resume}: the state of another run that was stopped (other {', '.join(differs)}): "
                f"repeat that command to finish it, or remove the directory to start anew"
            )
        losses = [float(loss) for loss in state.notes.get("losses", [])]
        if len(losses) != state.step or state.step > self.steps:
            raise UserError(f"{resume}: damaged (step {state.step}, {len(losses)} losses): remove the directory to start anew")
        self.model.load_state_dict(state.model.state_dict())
        optimizer.load_state_tensors(state.optimizer)
        return losses


def resume_path(writing: str | Path) -> Path:
    """Where the state of a run lies that will write `writing`."""
    return Path(f"{writing}.resume")


@cache
def has_bfloat16() -> bool:
    """Whether this processor multiplies bfloat16 matrices in hardware (AVX-512 BF16, AMX or Arm's)."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return False  # not Linux: stay with float32, which is right everywhere
    return not {"avx512_bf16", "amx_bf16", "bf16"}.isdisjoint(flags)


def uses_bfloat16(config: GPTConfig) -> bool:
    """bfloat16 products where they gain, measured on two cores with AVX-512 BF16: at d_model 256 a step of 128 rows takes 2.1 s
    against 3.8 s in float32; at d_model 128 it takes 0.10 s against 0.08 s, as converting then costs more than it saves."""
    return config.d_model >= 256 and has_bfloat16()


def factor_assignment(tokens: int, final_tokens: int) -> float:
    """The assignment's rate after so many tokens, as a multiple: a short warm-up, then a cosine that does not stop at its end."""
    if tokens < WARMUP_TOKENS:
        return tokens / WARMUP_TOKENS
    done = (tokens - WARMUP_TOKENS) / max(1, final_tokens - WARMUP_TOKENS)
    return max(0.1, 0.5 * (1.0 + math.cos(math.pi * done)))


def factor_anneal(step: int, total: int) -> float:
    """Ours: full rate, then a straight line to 0 over the rest of the run, from its middle on."""
    start = ANNEAL_FROM * total
    return 1.0 if step < start else (total - step) / (total - start)


def loss_and_gradient(model: GPT, batch: Batch, bfloat16: bool) -> float:
    """The mean loss over a batch's targets, its gradient added to the parameters.

    Rows go through the model in groups of similar length, each trimmed to its own longest: little padding is computed.
    """
    x, y = batch
    lengths = (y != PAD_INDEX).int().mul(torch.arange(1, y.shape[1] + 1)).amax(dim=1)  # (B,): one past the last target
    order = lengths.argsort(stable=True)
    targets = max(1, int((y != PAD_INDEX).sum()))
    total = 0.0
    for rows in order.chunk(max(1, round(len(x) / MICRO_BATCH))):
        used = max(1, int(lengths[rows].max()))
        part_x, part_y = x[rows, :used], y[rows, :used]
        with torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
            logits, _ = model(part_x)  # (B, T, vocab_size)
        summed = F.cross_entropy(logits.flatten(0, 1).float(), part_y.flatten(), ignore_index=PAD_INDEX, reduction="sum")
        loss = summed / targets
        loss.backward()  # type: ignore[no-untyped-call]
        total += float(loss.detach())
    return total
