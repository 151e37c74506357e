"""Training: `pretrain` and `finetune`, for the command line and for notebooks.

- Each reads its files, prepares a `Run` (`prepare_pretrain`, `prepare_finetune`: all is checked, nothing is
  trained), and trains it.
- Errors (an output that cannot be written, a vocabulary that does not match) are found before the first step.
- A run's description holds everything its result depends on: the numbers of its recipe, and digests of its
  files and of our code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from kqa_core.errors import UserError, suggest
from kqa_core.files import digest_of
from kqa_core.hardware import find_device
from kqa_core.model import checkpoint
from kqa_core.model.checkpoint import Checkpoint
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.model.positions import positions_of
from kqa_core.model.variant_registry import find_variant
from kqa_core.text.corpus import Corpus, training_corpus
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.training.batches import Batches, QuestionBatches, SalientBatches, SpanBatches
from kqa_core.training.loop import SAVE_SECONDS, Run, Trained, find_precision, resume_path
from kqa_core.training.recipes import Phase, Recipe, find_recipe

__all__ = ["Run", "Trained", "finetune", "load_for", "prepare_finetune", "prepare_pretrain", "pretrain"]

PACKAGE = Path(__file__).resolve().parents[1]
# Our code that a trained model can depend on. A test compares this list with what this module imports. Not on
# it: errors.py, progress.py and stats.py, which change what a person reads and no number.
CODE = ("model/**/*.py", "training/**/*.py", "kernels/**/*.py", "text/**/*.py", "files.py", "hardware.py")
AS_THE_RECIPE_SAYS: Mapping[str, object] = {}  # fields of GPTConfig that differ from the recipe's: none


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
    model: Mapping[str, object] = AS_THE_RECIPE_SAYS,
    show: bool = True,
    save_seconds: float = SAVE_SECONDS,
) -> Trained:
    """Train a new model on the documents of `corpus_path`; write it to `writing_params_path` if given.

    `finetune_corpus_path` gives train questions to mix in, if the recipe does so. `epochs` or `steps` replace
    the recipe's. `device` is auto (a GPU if there is one), cpu or cuda. `model` has fields of `GPTConfig`
    that replace the recipe's. `save_seconds` is the time between two saved states, from which a killed run
    continues. Raises UserError for anything that cannot be used.
    """
    _check_paths(writing_params_path)
    corpus = training_corpus(
        corpus_path, finetune_corpus_path if find_recipe(recipe).pretrain.reads_questions else None
    )
    run = prepare_pretrain(
        variant, corpus, recipe=recipe, seed=seed, epochs=epochs, steps=steps, device=device, model=model
    )
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
    model: Mapping[str, object] = AS_THE_RECIPE_SAYS,
    show: bool = True,
    save_seconds: float = SAVE_SECONDS,
) -> Trained:
    """Train a model to answer the questions of `finetune_corpus_path`: a pretrained one, or (no
    `reading_params_path`) a new one.

    `corpus_path` is the pretraining corpus; its characters are the vocabulary. `reading_params_path` may also
    be what `pretrain` returned; that model is not changed. A pretrained model must agree with `model`; the
    other parameters are those of `pretrain`. Raises UserError for anything that cannot be used.
    """
    _check_paths(writing_params_path)
    corpus = training_corpus(corpus_path, finetune_corpus_path)
    length: dict[str, int | None] = {"epochs": epochs, "steps": steps}
    run = prepare_finetune(
        variant, corpus, reading_params_path, recipe=recipe, seed=seed, **length, device=device, model=model
    )
    return run.train(writing_params_path, show, save_seconds)


def prepare_pretrain(
    variant: str,
    corpus: Corpus,
    *,
    recipe: str = "assignment",
    seed: int = 0,
    epochs: int | None = None,
    steps: int | None = None,
    device: str = "auto",
    model: Mapping[str, object] = AS_THE_RECIPE_SAYS,
) -> Run:
    """The run that `pretrain` would train. The recipe decides whether `corpus.train` is mixed in."""
    find_variant(variant)
    place, numbers = find_device(device), find_recipe(recipe)
    phase = numbers.pretrain
    if phase.cue_probability and not corpus.train:
        raise UserError(
            f"recipe {recipe}: it learns from train questions what to mask: add them as finetune_corpus_path"
        )
    config = _config(variant, corpus, numbers, model)
    source: Batches
    if phase.rows == "span":
        how = (phase.batch_size, seed, phase.shuffle, phase.loss)
        source = SpanBatches(corpus.documents, corpus.vocabulary, config.block_size, *how)
    else:
        source = SalientBatches(corpus, config.block_size, phase, seed)
    total = _total_steps(phase, source, epochs, steps)
    description = _describe("pretrain", config, recipe, phase, seed, total, place)
    description |= {
        "corpus": corpus.documents_sha256,
        "questions": corpus.train_sha256 if phase.reads_questions else "",
    }
    return Run(
        model=_new_model(config, seed),
        vocabulary=corpus.vocabulary,
        source=source,
        phase=phase,
        description=description,
        seed=seed,
        steps=total,
        documents=len(corpus.documents),
        device=place,
    )


def prepare_finetune(
    variant: str,
    corpus: Corpus,
    reading_params_path: str | Path | Trained | None = None,
    *,
    recipe: str = "assignment",
    seed: int = 0,
    epochs: int | None = None,
    steps: int | None = None,
    device: str = "auto",
    model: Mapping[str, object] = AS_THE_RECIPE_SAYS,
) -> Run:
    """The run that `finetune` would train, on `corpus.train`."""
    find_variant(variant)
    if not corpus.train:
        raise UserError(
            "finetuning: train questions were expected, the corpus was read without any: give"
            " finetune_corpus_path"
        )
    place, numbers = find_device(device), find_recipe(recipe)
    phase = numbers.scratch if reading_params_path is None else numbers.finetune
    if reading_params_path is None:
        start, started_from = _new_model(_config(variant, corpus, numbers, model), seed), ""
    else:
        start, started_from = _pretrained(reading_params_path, variant, corpus, model)
    source = QuestionBatches(
        corpus.train, corpus.vocabulary, start.config.block_size, phase.batch_size, seed, phase.shuffle
    )
    total = _total_steps(phase, source, epochs, steps)
    description = _describe("finetune", start.config, recipe, phase, seed, total, place)
    description |= {
        "corpus": corpus.documents_sha256,
        "questions": corpus.train_sha256,
        "started_from": started_from,
    }
    return Run(
        model=start,
        vocabulary=corpus.vocabulary,
        source=source,
        phase=phase,
        description=description,
        seed=seed,
        steps=total,
        documents=len(corpus.documents),
        device=place,
    )


def load_for(
    path: str | Path,
    variant: str,
    vocabulary: Vocabulary,
    corpus_path: str | Path,
    model: Mapping[str, object] = AS_THE_RECIPE_SAYS,
) -> Checkpoint:
    """The checkpoint at `path`, if it fits.

    Raises UserError where it holds another variant, another corpus's characters, or other values of GPTConfig
    than `model` says.
    """
    found = checkpoint.load(path)
    _check_fits(str(path), found, variant, vocabulary, corpus_path, model)
    return found


def _check_fits(
    where: str,
    found: Checkpoint | Trained,
    variant: str,
    vocabulary: Vocabulary,
    corpus_path: str | Path,
    model: Mapping[str, object],
) -> None:
    """Raise UserError unless a pretrained model is of this variant, knows these characters and has what
    `model` says.
    """
    _check_fields(model)
    config = found.model.config
    if config.variant != variant:
        raise UserError(
            f"{where}: holds a {config.variant} model, not {variant}: name that variant, or give another path"
        )
    if found.vocabulary != vocabulary:
        raise UserError(
            f"{where}: knows other characters ({len(found.vocabulary)}) than {corpus_path} holds"
            f" ({len(vocabulary)}): give the corpus it was trained on"
        )
    for name, value in model.items():
        holds: object = getattr(config, name)
        wanted = value
        if name == "positions":
            holds, wanted = positions_of(config), positions_of(replace(config, positions=str(value)))
        if holds != wanted:
            raise UserError(
                f"{where}: holds a model with {name} {holds}, not {wanted}: omit --{name}, or give another"
                " path"
            )


def _check_fields(model: Mapping[str, object]) -> None:
    """Raise UserError for a name that is no field of GPTConfig, or one that is chosen by other means."""
    known = [field.name for field in fields(GPTConfig) if field.name not in ("vocab_size", "variant")]
    for name in model:
        if name not in known:
            raise UserError(
                f"model: {name} is no field of GPTConfig that can be chosen here: {suggest(name, known)}"
            )


@cache
def code_digest() -> str:
    """The SHA-256 of the code a trained model can depend on: only the code that started a run may continue
    it.
    """
    return digest_of((path for pattern in CODE for path in PACKAGE.glob(pattern)), PACKAGE)


def _config(variant: str, corpus: Corpus, recipe: Recipe, model: Mapping[str, object]) -> GPTConfig:
    _check_fields(model)
    numbers: dict[str, Any] = {**recipe.model, **model}
    return GPTConfig(vocab_size=len(corpus.vocabulary), variant=variant, **numbers)


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


def _pretrained(
    reading: str | Path | Trained, variant: str, corpus: Corpus, model: Mapping[str, object]
) -> tuple[GPT, str]:
    """A copy of the pretrained model, and what identifies its weights."""
    if isinstance(reading, Trained):
        _check_fits("the given model", reading, variant, corpus.vocabulary, corpus.path, model)
        copy = _new_model(reading.model.config, 0)
        copy.load_state_dict(reading.model.state_dict())
        weights = {name: tensor.contiguous() for name, tensor in copy.state_dict().items()}
        return copy, hashlib.sha256(safetensors.torch.save(weights)).hexdigest()
    found = load_for(reading, variant, corpus.vocabulary, corpus.path, model)
    return found.model, hashlib.sha256((Path(reading) / checkpoint.MODEL).read_bytes()).hexdigest()


def _describe(
    what: str, config: GPTConfig, recipe: str, phase: Phase, seed: int, steps: int, device: torch.device
) -> dict[str, Any]:
    plain = asdict(phase)
    plain["optimizer"]["betas"] = list(plain["optimizer"]["betas"])  # as JSON has it
    described = {
        "what": what,
        "recipe": recipe,
        "seed": seed,
        "steps": steps,
        "phase": plain,
        "code": code_digest(),
    }
    return described | {
        "config": asdict(config),
        "device": device.type,
        "precision": find_precision(config, device),
    }


def _check_paths(writing: str | Path | None) -> None:
    if writing is not None:
        checkpoint.check_writable(writing)
        checkpoint.check_writable(resume_path(writing))
