"""Training: `pretrain` and `finetune`, for the command line and for notebooks.

- A run is a function of its inputs and its seed. Batches, dropout and initial weights depend on (seed, step) alone, so a run that
  was killed at any moment and started again ends with the weights it would have had: bit for bit, on a CPU with as many threads.
- The state of a run under way lies in `PATH.resume`, beside the path that is written at its end, and goes when that is written.
  State of a *different* run there is never overwritten or continued: it is named, with what differs.
- bfloat16 on a CPU only where it gains: a processor with bfloat16 instructions, and a model wide enough (see `uses_bfloat16`).
- What cannot work (an output that cannot be written, a vocabulary that does not fit) is found out before the first step.
"""

from __future__ import annotations

import hashlib
import math
import shutil
import time
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F

from kqa_core import checkpoint
from kqa_core.batches import Batch, Batches, QuestionBatches, SalientBatches, SpanBatches
from kqa_core.checkpoint import Checkpoint
from kqa_core.errors import UserError
from kqa_core.gpt import GPT, PAD_INDEX, GPTConfig
from kqa_core.optim import Optimizer
from kqa_core.progressbar import progress
from kqa_core.recipes import Phase, find_recipe
from kqa_core.text.names import read_documents, read_pairs, read_text
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.variants import find_variant

SAVE_SECONDS = 20.0  # between two states of a run under way
WARMUP_TOKENS = 512 * 20  # of the assignment's schedule
FINAL_EPOCHS = 200  # of the pretraining corpus: where the assignment's cosine would end
ANNEAL_FROM = 0.5  # share of a run after which the rate falls to 0 in a straight line
MICRO_BATCH = 32  # rows of similar length that go through the model together


@dataclass
class Trained:
    """A finished run."""

    model: GPT
    vocabulary: Vocabulary
    losses: list[float]  # of every step, nats per target
    rates: list[float]  # the schedule's factor at every step
    seconds: float  # of this process, loading and writing included
    cpu_seconds: float
    resumed_at: int = 0  # the step at which this process took over from a killed one
    run: dict[str, Any] = field(default_factory=dict)  # what the run was


def pretrain(
    variant: str,
    corpus_path: str | Path,
    writing_params_path: str | Path | None = None,
    finetune_corpus_path: str | Path | None = None,
    *,
    recipe: str = "assignment",
    seed: int = 0,
    epochs: int | None = None,
    steps: int | None = None,
    show: bool = True,
    save_seconds: float = SAVE_SECONDS,
) -> Trained:
    """Teach a new model the documents of `corpus_path`; write it to `writing_params_path` if given.

    `finetune_corpus_path` gives train questions to mix in, to recipes that do so. `epochs` or `steps` shorten or lengthen the
    recipe. Raises UserError for anything that cannot be used.
    """
    find_variant(variant)
    phase = find_recipe(recipe).pretrain
    _check_paths(writing_params_path)
    documents = read_documents(corpus_path)
    vocabulary = Vocabulary.from_text(read_text(corpus_path))
    mixes = finetune_corpus_path is not None and phase.question_share > 0
    pairs = read_pairs(finetune_corpus_path) if mixes and finetune_corpus_path is not None else []
    config = GPTConfig(vocab_size=len(vocabulary), variant=variant, **find_recipe(recipe).model)  # type: ignore[arg-type]
    source: Batches
    if phase.rows == "span":
        source = SpanBatches(documents, vocabulary, config.block_size, phase.batch_size, seed)
    else:
        source = SalientBatches(documents, vocabulary, config.block_size, phase, seed, pairs)
    run = _describe("pretrain", config, recipe, phase, seed, epochs, steps)
    run |= {"corpus": _digest(corpus_path), "questions": _digest(finetune_corpus_path) if pairs else ""}
    model = _new_model(config, seed)
    return _train(
        model, vocabulary, source, phase, run, writing_params_path, len(documents), seed, epochs, steps, show, save_seconds
    )


def finetune(
    variant: str,
    corpus_path: str | Path,
    finetune_corpus_path: str | Path,
    writing_params_path: str | Path | None = None,
    reading_params_path: str | Path | Trained | None = None,
    *,
    recipe: str = "assignment",
    seed: int = 0,
    epochs: int | None = None,
    steps: int | None = None,
    show: bool = True,
    save_seconds: float = SAVE_SECONDS,
) -> Trained:
    """Teach a model to answer the questions of `finetune_corpus_path`: a pretrained one, or (no `reading_params_path`) a new one.

    `corpus_path` is the pretraining corpus: the vocabulary is its characters. `reading_params_path` may also be what `pretrain`
    returned. Raises UserError for anything that cannot be used.
    """
    find_variant(variant)
    chosen = find_recipe(recipe)
    phase = chosen.scratch if reading_params_path is None else chosen.finetune
    _check_paths(writing_params_path)
    documents = read_documents(corpus_path)
    vocabulary = Vocabulary.from_text(read_text(corpus_path))
    pairs = read_pairs(finetune_corpus_path)
    if reading_params_path is None:
        config = GPTConfig(vocab_size=len(vocabulary), variant=variant, **chosen.model)  # type: ignore[arg-type]
        model, started_from = _new_model(config, seed), ""
    else:
        model, started_from = _pretrained(reading_params_path, variant, vocabulary, corpus_path)
    source = QuestionBatches(pairs, vocabulary, model.config.block_size, phase.batch_size, seed)
    run = _describe("finetune", model.config, recipe, phase, seed, epochs, steps)
    run |= {"corpus": _digest(corpus_path), "questions": _digest(finetune_corpus_path), "started_from": started_from}
    return _train(
        model, vocabulary, source, phase, run, writing_params_path, len(documents), seed, epochs, steps, show, save_seconds
    )


def load_for(path: str | Path, variant: str, vocabulary: Vocabulary, corpus_path: str | Path) -> Checkpoint:
    """The checkpoint at `path`, if it fits. Raises UserError where it holds another variant or another corpus's characters."""
    found = checkpoint.load(path)
    if found.model.config.variant != variant:
        raise UserError(
            f"{path}: holds a {found.model.config.variant} model, not {variant}: name that variant, or give another path"
        )
    if found.vocabulary != vocabulary:
        raise UserError(
            f"{path}: knows other characters ({len(found.vocabulary)}) than {corpus_path} holds ({len(vocabulary)}): "
            f"give the corpus it was trained on"
        )
    return found


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

    Rows go through the model in groups of similar length, each trimmed to its own longest: padding costs nothing.
    """
    x, y = batch
    lengths = (y != PAD_INDEX).int().mul(torch.arange(1, y.shape[1] + 1)).amax(dim=1)  # (B,): one past the last target
    order = lengths.argsort(stable=True)
    targets = int((y != PAD_INDEX).sum())
    total = 0.0
    for rows in order.chunk(max(1, round(len(x) / MICRO_BATCH))):
        used = max(1, int(lengths[rows].max()))
        part_x, part_y = x[rows, :used], y[rows, :used]
        with torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
            logits, _ = model(part_x)  # (B, T, vocab_size)
        summed = F.cross_entropy(logits.flatten(0, 1).float(), part_y.flatten(), ignore_index=PAD_INDEX, reduction="sum")
        loss = summed / max(1, targets)
        loss.backward()  # type: ignore[no-untyped-call]
        total += float(loss.detach())
    return total


def _train(
    model: GPT,
    vocabulary: Vocabulary,
    source: Batches,
    phase: Phase,
    run: dict[str, Any],
    writing: str | Path | None,
    documents: int,
    seed: int,
    epochs: int | None,
    steps: int | None,
    show: bool,
    save_seconds: float,
) -> Trained:
    began, cpu = time.monotonic(), time.process_time()
    total = _total_steps(phase, source, epochs, steps)
    resume = None if writing is None else Path(f"{writing}.resume")
    optimizer = Optimizer(model, phase.optimizer)
    losses: list[float] = []
    if resume is not None and resume.exists():
        losses = _take_over(resume, run, model, optimizer)
    start = len(losses)
    rates = [_factor(phase, source, step, total, documents, model.config.block_size) for step in range(total)]
    bfloat16 = uses_bfloat16(model.config)
    saved = time.monotonic()
    model.train()
    label = f"{run['what']} {model.config.variant}"
    with torch.random.fork_rng(devices=[]), progress(total, label, show, start) as shown:
        for step in range(start, total):
            torch.manual_seed((seed * 1_000_003 + step) % 2**63)  # dropout
            optimizer.set_factor(rates[step])
            losses.append(loss_and_gradient(model, source.batch(step), bfloat16))
            try:
                optimizer.step()
            except FloatingPointError as error:
                raise UserError(f"training broke down at step {step} ({error}): take a lower rate or another seed") from None
            shown.update(step + 1, losses[-1])
            if resume is not None and time.monotonic() - saved >= save_seconds and step + 1 < total:
                notes = {"run": run, "losses": losses}
                state = Checkpoint(model, vocabulary, step + 1, seed, run["recipe"], optimizer.state_tensors(), notes)
                checkpoint.save(resume, state)
                saved = time.monotonic()
    model.eval()
    if writing is not None:
        checkpoint.save(writing, Checkpoint(model, vocabulary, total, seed, run["recipe"], None, {"run": run, "losses": losses}))
        if resume is not None:
            shutil.rmtree(resume, ignore_errors=True)
    took = time.monotonic() - began
    return Trained(model, vocabulary, losses, rates, took, time.process_time() - cpu, start, run)


def _total_steps(phase: Phase, source: Batches, epochs: int | None, steps: int | None) -> int:
    if epochs is not None and steps is not None:
        raise UserError("both epochs and steps were given: give one of them")
    for name, value in (("epochs", epochs), ("steps", steps)):
        if value is not None and value < 1:
            raise UserError(f"{name} must be at least 1, not {value}")
    if steps is None and epochs is None:
        steps, epochs = phase.steps, phase.epochs
    if steps is not None:
        return steps
    assert epochs is not None
    return epochs * source.steps_per_epoch


def _factor(phase: Phase, source: Batches, step: int, total: int, documents: int, block_size: int) -> float:
    if phase.schedule == "anneal":
        return factor_anneal(step, total)
    tokens = source.rows_through(step) * source.row_length  # padding counts, as in the original
    return factor_assignment(tokens, FINAL_EPOCHS * documents * block_size)


def _take_over(resume: Path, run: dict[str, Any], model: GPT, optimizer: Optimizer) -> list[float]:
    """Continue from the state of a killed run. Returns its losses so far."""
    state = checkpoint.load(resume)
    theirs = state.notes.get("run")
    if not isinstance(theirs, dict) or state.optimizer is None:
        raise UserError(f"{resume}: not the state of a run under way: move it away, or write elsewhere")
    if theirs != run:
        differs = ", ".join(sorted(key for key in run.keys() | theirs.keys() if run.get(key) != theirs.get(key)))
        raise UserError(
            f"{resume}: the state of another run that was stopped (its {differs} differ{'s' if ',' not in differs else ''}): "
            f"repeat that command to finish it, or remove the directory to start anew"
        )
    model.load_state_dict(state.model.state_dict())
    optimizer.load_state_tensors(state.optimizer)
    losses = [float(loss) for loss in state.notes["losses"]]
    if len(losses) != state.step:
        raise UserError(f"{resume}: damaged (step {state.step}, {len(losses)} losses): remove the directory to start anew")
    return losses


def _new_model(config: GPTConfig, seed: int) -> GPT:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return GPT(config)


def _pretrained(reading: str | Path | Trained, variant: str, vocabulary: Vocabulary, corpus_path: str | Path) -> tuple[GPT, str]:
    """A copy of the pretrained model, and what identifies its weights."""
    if isinstance(reading, Trained):
        model = GPT(reading.model.config)
        model.load_state_dict(reading.model.state_dict())
        return model, "memory"
    model = load_for(reading, variant, vocabulary, corpus_path).model
    return model, _digest(Path(reading) / checkpoint.MODEL)


def _describe(
    what: str, config: GPTConfig, recipe: str, phase: Phase, seed: int, epochs: int | None, steps: int | None
) -> dict[str, Any]:
    """Everything a run depends on, as JSON would give it back."""
    plain = asdict(phase)
    plain["optimizer"]["betas"] = list(plain["optimizer"]["betas"])
    described = {"what": what, "recipe": recipe, "seed": seed, "epochs": epochs, "steps": steps, "phase": plain}
    return described | {"config": asdict(config), "bfloat16": uses_bfloat16(config)}


def _digest(path: str | Path | None) -> str:
    return "" if path is None else hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _check_paths(writing: str | Path | None) -> None:
    if writing is not None:
        checkpoint.check_writable(writing)
        checkpoint.check_writable(f"{writing}.resume")
