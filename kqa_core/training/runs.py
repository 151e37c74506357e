"""Training: `pretrain` and `finetune`, for the command line and for notebooks.

- Each prepares a `Run` (`prepare_pretrain`, `prepare_finetune`: everything read and checked, nothing trained) and trains it.
- What cannot work (an output that cannot be written, a vocabulary that does not fit) is found out before the first step.
- A run's description holds all its result depends on: the numbers of its recipe, digests of its files and of this code.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import torch

from kqa_core.errors import UserError
from kqa_core.hardware import find_device
from kqa_core.model import checkpoint
from kqa_core.model.checkpoint import Checkpoint
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.model.variant_registry import find_variant
from kqa_core.text.birthplaces import read_documents, read_pairs, read_text
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.training.batches import Batches, QuestionBatches, SalientBatches, SpanBatches
from kqa_core.training.loop import SAVE_SECONDS, Run, Trained, resume_path, uses_bfloat16
from kqa_core.training.recipes import Phase, find_recipe

__all__ = ["Run", "Trained", "finetune", "load_for", "prepare_finetune", "prepare_pretrain", "pretrain"]

PACKAGE = Path(__file__).resolve().parents[1]
CODE = ("model/**/*.py", "training/**/*.py", "kernels/**/*.py", "text/**/*.py")  # what a trained model can depend on


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
    device: str = "auto",
    show: bool = True,
    save_seconds: float = SAVE_SECONDS,
) -> Trained:
    """Teach a new model the documents of `corpus_path`; write it to `writing_params_path` if given.

    `finetune_corpus_path` gives train questions to mix in, to recipes that do so. `epochs` or `steps` shorten or lengthen the
    recipe. `device` is auto (a GPU where there is one), cpu or cuda. Raises UserError for anything that cannot be used.
    """
    _check_paths(writing_params_path)
    length = {"epochs": epochs, "steps": steps}
    run = prepare_pretrain(variant, corpus_path, finetune_corpus_path, recipe=recipe, seed=seed, **length, device=device)
    return run.train(writing_params_path, show, save_seconds)


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
    device: str = "auto",
    show: bool = True,
    save_seconds: float = SAVE_SECONDS,
) -> Trained:
    """Teach a model to answer the questions of `finetune_corpus_path`: a pretrained one, or (no `reading_params_path`) a new one.

    `corpus_path` is the pretraining corpus: the vocabulary is its characters. `reading_params_path` may also be what `pretrain`
    returned; that model is left as it is. Raises UserError for anything that cannot be used.
    """
    _check_paths(writing_params_path)
    reading, length = reading_params_path, {"epochs": epochs, "steps": steps}
    run = prepare_finetune(variant, corpus_path, finetune_corpus_path, reading, recipe=recipe, seed=seed, **length, device=device)
    return run.train(writing_params_path, show, save_seconds)


def prepare_pretrain(
    variant: str,
    corpus_path: str | Path,
    finetune_corpus_path: str | Path | None = None,
    *,
    recipe: str = "assignment",
    seed: int = 0,
    epochs: int | None = None,
    steps: int | None = None,
    device: str = "auto",
) -> Run:
    """The run that `pretrain` would train."""
    find_variant(variant)
    place, chosen = find_device(device), find_recipe(recipe)
    phase = chosen.pretrain
    documents, vocabulary = _read_corpus(corpus_path)
    pairs = read_pairs(finetune_corpus_path) if finetune_corpus_path is not None and phase.question_share > 0 else []
    config = GPTConfig(vocab_size=len(vocabulary), variant=variant, **chosen.model)  # type: ignore[arg-type]
    source: Batches
    if phase.rows == "span":
        source = SpanBatches(documents, vocabulary, config.block_size, phase.batch_size, seed)
    else:
        source = SalientBatches(documents, vocabulary, config.block_size, phase, seed, pairs)
    total = _total_steps(phase, source, epochs, steps)
    description = _describe("pretrain", config, recipe, phase, seed, total, place)
    description |= {"corpus": digest(corpus_path), "questions": digest(finetune_corpus_path) if pairs else ""}
    return Run(_new_model(config, seed), vocabulary, source, phase, description, seed, total, len(documents), place)


def prepare_finetune(
    variant: str,
    corpus_path: str | Path,
    finetune_corpus_path: str | Path,
    reading_params_path: str | Path | Trained | None = None,
    *,
    recipe: str = "assignment",
    seed: int = 0,
    epochs: int | None = None,
    steps: int | None = None,
    device: str = "auto",
) -> Run:
    """The run that `finetune` would train."""
    find_variant(variant)
    place, chosen = find_device(device), find_recipe(recipe)
    phase = chosen.scratch if reading_params_path is None else chosen.finetune
    documents, vocabulary = _read_corpus(corpus_path)
    pairs = read_pairs(finetune_corpus_path)
    if reading_params_path is None:
        config = GPTConfig(vocab_size=len(vocabulary), variant=variant, **chosen.model)  # type: ignore[arg-type]
        model, started_from = _new_model(config, seed), ""
    else:
        model, started_from = _pretrained(reading_params_path, variant, vocabulary, corpus_path)
    source = QuestionBatches(pairs, vocabulary, model.config.block_size, phase.batch_size, seed)
    total = _total_steps(phase, source, epochs, steps)
    description = _describe("finetune", model.config, recipe, phase, seed, total, place)
    description |= {"corpus": digest(corpus_path), "questions": digest(finetune_corpus_path), "started_from": started_from}
    return Run(model, vocabulary, source, phase, description, seed, total, len(documents), place)


def load_for(path: str | Path, variant: str, vocabulary: Vocabulary, corpus_path: str | Path) -> Checkpoint:
    """The checkpoint at `path`, if it fits. Raises UserError where it holds another variant or another corpus's characters."""
    found = checkpoint.load(path)
    holds = found.model.config.variant
    if holds != variant:
        raise UserError(f"{path}: holds a {holds} model, not {variant}: name that variant, or give another path")
    if found.vocabulary != vocabulary:
        raise UserError(
            f"{path}: knows other characters ({len(found.vocabulary)}) than {corpus_path} holds ({len(vocabulary)}): "
            f"give the corpus it was trained on"
        )
    return found


def digest(path: str | Path | None) -> str:
    """The SHA-256 of a file; empty for none."""
    return "" if path is None else hashlib.sha256(Path(path).read_bytes()).hexdigest()


@cache
def code_digest() -> str:
    """The SHA-256 of the code a trained model can depend on: a run is only continued by the code that began it."""
    files = sorted(path for pattern in CODE for path in PACKAGE.glob(pattern))
    return hashlib.sha256(b"\0".join(path.name.encode() + b"\0" + path.read_bytes() for path in files)).hexdigest()


def _read_corpus(path: str | Path) -> tuple[list[str], Vocabulary]:
    return read_documents(path), Vocabulary.from_text(read_text(path))


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


def _new_model(config: GPTConfig, seed: int) -> GPT:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return GPT(config)


def _pretrained(reading: str | Path | Trained, variant: str, vocabulary: Vocabulary, corpus_path: str | Path) -> tuple[GPT, str]:
    """A copy of the pretrained model, and what identifies its weights."""
    if isinstance(reading, Trained):
        model = _new_model(reading.model.config, 0)
        model.load_state_dict(reading.model.state_dict())
        return model, "memory"
    model = load_for(reading, variant, vocabulary, corpus_path).model
    return model, digest(Path(reading) / checkpoint.MODEL)


def _describe(
    what: str, config: GPTConfig, recipe: str, phase: Phase, seed: int, steps: int, device: torch.device
) -> dict[str, Any]:
    plain = asdict(phase)
    plain["optimizer"]["betas"] = list(plain["optimizer"]["betas"])  # as JSON has it
    described = {"what": what, "recipe": recipe, "seed": seed, "steps": steps, "phase": plain, "code": code_digest()}
    return described | {"config": asdict(config), "device": device.type, "bfloat16": uses_bfloat16(config, device)}


def _check_paths(writing: str | Path | None) -> None:
    if writing is not None:
        checkpoint.check_writable(writing)
        checkpoint.check_writable(resume_path(writing))
