"""Training: `pretrain` and `finetune`, for the command line and for notebooks.

- Each reads its files, prepares a `Run` (`prepare_pretrain`, `prepare_finetune`: all is checked, nothing is
  trained), and trains it.
- The choices are one `TrainingConfig`. All four take it as `config`, or its fields as keywords.
- Errors (an output that cannot be written, a vocabulary that does not match) are found before the first step.
- A run's description holds everything its result depends on: the numbers of its recipe, and digests of its
  files, of our code, and of a layer that was registered in this process (`code_behind`).
"""

from __future__ import annotations

import hashlib
import inspect
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from pickle import UnpicklingError
from types import CodeType, FunctionType, GeneratorType
from typing import Any, TypeVar

import safetensors.torch
import torch
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.files import digest_of
from kqa_core.hardware import find_device
from kqa_core.model import checkpoint
from kqa_core.model.checkpoint import Checkpoint
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.model.positions import positions_of
from kqa_core.model.variant_registry import find_variant, shipped_names
from kqa_core.text.corpus import Corpus, training_corpus
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.training.batches import Batches, QuestionBatches, pretraining_batches
from kqa_core.training.config import TrainingConfig, check_fields
from kqa_core.training.loop import SAVE_SECONDS, Run, Trained, resume_path
from kqa_core.training.precision import find_precision
from kqa_core.training.recipes import Phase, Recipe, find_recipe

__all__ = ["Run", "Trained", "finetune", "load_for", "prepare_finetune", "prepare_pretrain", "pretrain"]

PACKAGE = Path(__file__).resolve().parents[1]
# Our code that a trained model can depend on. A test compares this list with what this module imports. Not on
# it: errors.py, progress.py and stats.py, which change what a person reads and no number.
CODE = ("model/**/*.py", "training/**/*.py", "kernels/**/*.py", "text/**/*.py", "files.py", "hardware.py")
DEFAULT = TrainingConfig()
P = TypeVar("P", bound=Phase)
# what torch.load and a look into its result raise where a file is damaged
UNREADABLE = (OSError, EOFError, RuntimeError, UnpicklingError, KeyError, TypeError)


def pretrain(
    variant: str,
    corpus_path: str | Path,
    writing_params_path: str | Path | None = None,
    finetune_corpus_path: str | Path | None = None,
    config: TrainingConfig = DEFAULT,
    *,
    show: bool = True,
    save_seconds: float = SAVE_SECONDS,
    **changes: Any,
) -> Trained:
    """Train a new model on the documents of `corpus_path`; write it to `writing_params_path` if given.

    `finetune_corpus_path` gives train questions to mix in, if the recipe does so. `changes` are fields of
    `TrainingConfig`, such as `recipe="small"`, in place of those of `config`. `save_seconds` is the time
    between two saved states, from which a killed run continues. Raises UserError for anything that cannot be
    used.
    """
    config = replace(config, **changes)
    _check_paths(writing_params_path)
    reads_questions = find_recipe(config.recipe).pretrain.reads_questions
    corpus = training_corpus(corpus_path, finetune_corpus_path if reads_questions else None)
    return prepare_pretrain(variant, corpus, config).train(writing_params_path, show, save_seconds)


def finetune(
    variant: str,
    corpus_path: str | Path,
    finetune_corpus_path: str | Path,
    writing_params_path: str | Path | None = None,
    reading_params_path: str | Path | Trained | None = None,
    config: TrainingConfig = DEFAULT,
    *,
    show: bool = True,
    save_seconds: float = SAVE_SECONDS,
    **changes: Any,
) -> Trained:
    """Train a model to answer the questions of `finetune_corpus_path`: a pretrained one, or (no
    `reading_params_path`) a new one.

    `corpus_path` is the pretraining corpus; its characters are the vocabulary. `reading_params_path` may also
    be what `pretrain` returned; that model is not changed. A pretrained model must agree with the config's
    `model`; the other parameters are those of `pretrain`. Raises UserError for anything that cannot be used.
    """
    _check_paths(writing_params_path)
    corpus = training_corpus(corpus_path, finetune_corpus_path)
    run = prepare_finetune(variant, corpus, reading_params_path, config, **changes)
    return run.train(writing_params_path, show, save_seconds)


def prepare_pretrain(variant: str, corpus: Corpus, config: TrainingConfig = DEFAULT, **changes: Any) -> Run:
    """The run that `pretrain` would train. The recipe decides whether `corpus.train` is mixed in."""
    config = replace(config, **changes)
    device, recipe = find_device(config.device), find_recipe(config.recipe)
    phase = _at_rate(recipe.pretrain, config.pretrain_lr)
    if phase.cue_probability and not corpus.train:
        raise UserError(
            f"recipe {config.recipe}: it learns from train questions what to mask: add them as"
            " finetune_corpus_path"
        )
    model = _new_model(variant, corpus, recipe, config)
    source = pretraining_batches(corpus, model.config.block_size, phase, config.seed)
    questions = corpus.train_sha256 if phase.reads_questions else ""
    return _run("pretrain", model, corpus, source, phase, config, device, questions=questions)


def prepare_finetune(
    variant: str,
    corpus: Corpus,
    reading_params_path: str | Path | Trained | None = None,
    config: TrainingConfig = DEFAULT,
    **changes: Any,
) -> Run:
    """The run that `finetune` would train, on `corpus.train`."""
    config = replace(config, **changes)
    find_variant(variant)
    if not corpus.train:
        raise UserError(
            "finetuning: train questions were expected, the corpus was read without any: give"
            " finetune_corpus_path"
        )
    device, recipe = find_device(config.device), find_recipe(config.recipe)
    if reading_params_path is None:
        phase, started_from = recipe.scratch, ""
        model = _new_model(variant, corpus, recipe, config)
    else:
        phase = recipe.finetune
        model, started_from = _pretrained(reading_params_path, variant, corpus, config.model)
    phase = _at_rate(phase, config.finetune_lr)
    source = QuestionBatches(
        corpus.train, corpus.vocabulary, model.config.block_size, phase.batch_size, config.seed, phase.shuffle
    )
    more = {"questions": corpus.train_sha256, "started_from": started_from}
    return _run("finetune", model, corpus, source, phase, config, device, **more)


def _at_rate(phase: P, rate: float | None) -> P:
    """The phase with this learning rate of AdamW in place of the recipe's."""
    return phase if rate is None else replace(phase, optimizer=replace(phase.optimizer, rate=rate))


def _run(
    what: str,
    model: GPT,
    corpus: Corpus,
    source: Batches,
    phase: Phase,
    config: TrainingConfig,
    device: torch.device,
    **described: str,
) -> Run:
    """The run of a phase; `described` are entries of its description that depend on the phase."""
    steps = _total_steps(phase, source, config)
    numbers = asdict(phase)
    numbers["optimizer"]["betas"] = list(numbers["optimizer"]["betas"])  # as JSON has it
    description = {
        "what": what,
        "recipe": config.recipe,
        "seed": config.seed,
        "steps": steps,
        "phase": numbers,
        "code": code_digest(),
        "config": asdict(model.config),
        "device": device.type,
        "precision": find_precision(model.config, device),
        "corpus": corpus.documents_sha256,
        **described,
    }
    if model.config.variant not in shipped_names():
        description["layer"] = code_behind(find_variant(model.config.variant).attention)
    return Run(
        model=model,
        vocabulary=corpus.vocabulary,
        source=source,
        phase=phase,
        description=description,
        seed=config.seed,
        steps=steps,
        documents=len(corpus.documents),
        device=device,
    )


def load_for(
    path: str | Path,
    variant: str,
    vocabulary: Vocabulary,
    corpus_path: str | Path,
    model: Mapping[str, object] = DEFAULT.model,
) -> Checkpoint:
    """The checkpoint at `path`, if it fits.

    Raises UserError where it holds another variant, another corpus's characters, or other values of GPTConfig
    than `model` says.
    """
    pretrained = checkpoint.load(path)
    _check_fits(str(path), pretrained, variant, vocabulary, corpus_path, model)
    return pretrained


def _check_fits(
    where: str,
    pretrained: Checkpoint | Trained,
    variant: str,
    vocabulary: Vocabulary,
    corpus_path: str | Path,
    model: Mapping[str, object],
) -> None:
    """Raise UserError unless a pretrained model has this variant, these characters, and `model`."""
    check_fields(model)
    config = pretrained.model.config
    if config.variant != variant:
        raise UserError(
            f"{where}: holds a {config.variant} model, not {variant}: name that variant, or give another path"
        )
    if pretrained.vocabulary != vocabulary:
        raise UserError(
            f"{where}: knows other characters ({len(pretrained.vocabulary)}) than {corpus_path} holds"
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


@cache
def code_digest() -> str:
    """The SHA-256 of the code a model can depend on: only the code that began a run continues it."""
    return digest_of((path for pattern in CODE for path in PACKAGE.glob(pattern)), PACKAGE)


def code_behind(value: object) -> str:
    """A digest of the compiled code of a function, class or running generator, and of all that it uses by
    name in its own module: functions, classes, numbers, texts, tensors, lists of them. Of a list, its items.

    Comments and layout do not count. Code of other modules is not followed. Any other value has another
    digest each time, so nothing is taken for the same by mistake.

    >>> code_behind(lambda x: x + 1) == code_behind(lambda x: x + 1) != code_behind(lambda x: x + 2)
    True
    """
    beside: Mapping[str, object] = {}
    if callable(value):
        value = inspect.unwrap(value)
    if isinstance(value, FunctionType):
        beside = value.__globals__
    elif isinstance(value, GeneratorType) and value.gi_frame is not None:
        beside, value = value.gi_frame.f_globals, value.gi_code
    elif isinstance(value, type):
        functions = [function for function in vars(value).values() if isinstance(function, FunctionType)]
        beside = functions[0].__globals__ if functions else {}
    elif not isinstance(value, list):
        return f"never twice: {time.time_ns()}"
    return hashlib.sha256("\n".join(_parts(value, beside, {})).encode()).hexdigest()


def _parts(value: object, beside: Mapping[str, object], done: dict[int, object]) -> Iterator[str]:
    """What `code_behind` digests of a value."""
    inside: Iterable[object] = ()
    if isinstance(value, bool | int | float | str | bytes | None):
        yield repr(value)
    elif isinstance(value, Tensor):
        yield hashlib.sha256(value.detach().numpy().tobytes()).hexdigest()
    elif id(value) not in done:
        done[id(value)] = value  # kept, so that no other object gets this number
        if isinstance(value, tuple | list):
            inside = value
        elif isinstance(value, frozenset | set):
            inside = sorted(value, key=repr)
        elif isinstance(value, dict):
            inside = [part for item in value.items() for part in item]
        elif isinstance(value, CodeType):
            yield f"{value.co_name} {value.co_code.hex()} {value.co_names} {value.co_varnames}"
            inside = (value.co_consts, *(beside[name] for name in value.co_names if name in beside))
        elif isinstance(value, FunctionType) and inspect.unwrap(value).__globals__ is beside:
            function = inspect.unwrap(value)
            cells = [cell.cell_contents for cell in function.__closure__ or ()]
            inside = (function.__code__, function.__defaults__, function.__kwdefaults__, cells)
        elif isinstance(value, type) and value.__module__ == beside.get("__name__"):
            named = sorted(vars(value).items())
            inside = [f for name, f in named if isinstance(f, FunctionType) or not name.startswith("__")]
    for part in inside:
        yield from _parts(part, beside, done)


def shown(path: Path) -> str:
    """A file below a course's `runs`, as a student finds it: runs/07/pretraining.run."""
    return "/".join(path.parts[-3:])


def _total_steps(phase: Phase, source: Batches, config: TrainingConfig) -> int:
    chosen: Phase | TrainingConfig = config if config.steps or config.epochs else phase
    if chosen.steps is not None:
        return chosen.steps
    assert chosen.epochs is not None
    return chosen.epochs * source.steps_per_epoch


def _new_model(variant: str, corpus: Corpus, recipe: Recipe, config: TrainingConfig) -> GPT:
    numbers: dict[str, Any] = {**recipe.model, **config.model}
    return _seeded(GPTConfig(vocab_size=len(corpus.vocabulary), variant=variant, **numbers), config.seed)


def _seeded(config: GPTConfig, seed: int) -> GPT:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return GPT(config)


def _pretrained(
    reading: str | Path | Trained, variant: str, corpus: Corpus, model: Mapping[str, object]
) -> tuple[GPT, str]:
    """A copy of the pretrained model, and what identifies its weights."""
    if isinstance(reading, Trained):
        _check_fits("the given model", reading, variant, corpus.vocabulary, corpus.path, model)
        copy = _seeded(reading.model.config, 0)
        copy.load_state_dict(reading.model.state_dict())
        weights = {name: tensor.contiguous() for name, tensor in copy.state_dict().items()}
        return copy, hashlib.sha256(safetensors.torch.save(weights)).hexdigest()
    pretrained = load_for(reading, variant, corpus.vocabulary, corpus.path, model)
    return pretrained.model, hashlib.sha256((Path(reading) / checkpoint.MODEL).read_bytes()).hexdigest()


def _check_paths(writing: str | Path | None) -> None:
    if writing is not None:
        checkpoint.check_writable(writing)
        checkpoint.check_writable(resume_path(writing))
