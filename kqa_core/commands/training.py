"""`kqa pretrain|finetune|evaluate VARIANT CORPUS …`: the original assignment's commands, with the same flags.

Every command of its handout works with `kqa` instead of `python src/run.py`. All other flags of `kqa` are
optional; `kqa variants` lists the variants.

The flags of a run (`--recipe`, `--steps`, and so on) are made from `TrainingConfig`, those of the model
(`--n_layer`, `--positions`, and so on) from `GPTConfig`. The latter are for a new model, and its checkpoint
keeps the values. If a checkpoint is read, they may be given again, as in the handout of 2023, and must agree
with it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints

import typer

from kqa_core.model.config import GPTConfig
from kqa_core.model.variant_registry import variant_names
from kqa_core.training.config import TrainingConfig

if TYPE_CHECKING:
    from kqa_core.training.loop import Trained

Variant = Annotated[
    str, typer.Argument(help=f"{', '.join(variant_names())}; `kqa variants` says what each computes")
]
Corpus = Annotated[
    Path, typer.Argument(help="the pretraining corpus (wiki.txt); its characters are the vocabulary")
]
Writing = Annotated[
    Path, typer.Option("--writing_params_path", help="where the trained model goes (a directory)")
]
SaveSeconds = Annotated[
    float,
    typer.Option("--save_seconds", help="seconds between saved states, from which a killed run continues"),
]
Log = Annotated[
    str | None,
    typer.Option("--tb_expt_name", help="as in the handout of 2023; no TensorBoard log is written"),
]
Device = Annotated[str, typer.Option("--device", help="auto (a GPU where torch finds one), cpu or cuda")]
Model = dict[str, object]  # the fields of GPTConfig that flags were given for


def with_flags(command: Callable[..., None]) -> Callable[..., None]:
    """`command` with flags in place of `config` (a `TrainingConfig`) and `model` (fields of `GPTConfig`).

    The flags are named and described by the fields themselves, so a new field becomes a flag without a change
    here.
    """
    own = inspect.signature(command, eval_str=True).parameters
    of_run = _flags(TrainingConfig) if "config" in own else []
    of_model = [_of_new_model(flag) for flag in _flags(GPTConfig)]

    @functools.wraps(command)
    def with_values(**values: Any) -> None:
        model = {flag.name: values.pop(flag.name) for flag in of_model}
        model = {name: value for name, value in model.items() if value is not None}
        if of_run:
            chosen = {flag.name: values.pop(flag.name) for flag in of_run}
            command(**values, config=TrainingConfig(**chosen, model=model))
        else:
            command(**values, model=model)

    flags = [*(flag for name, flag in own.items() if name not in ("config", "model")), *of_run, *of_model]
    with_values.__signature__ = inspect.Signature(flags)  # type: ignore[attr-defined]  # typer reads these two
    with_values.__annotations__ = {flag.name: flag.annotation for flag in flags}
    return with_values


def _flags(config: type[GPTConfig] | type[TrainingConfig]) -> list[inspect.Parameter]:
    """A flag for each field that has help text."""
    types, flags = get_type_hints(config), []
    for field in fields(config):
        if "help" in field.metadata:
            name = f"--{field.name}/--no_{field.name}" if types[field.name] is bool else f"--{field.name}"
            flag: Any = Annotated[types[field.name], typer.Option(name, **field.metadata)]
            flags.append(
                inspect.Parameter(
                    field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=flag
                )
            )
    return flags


def _of_new_model(flag: inspect.Parameter) -> inspect.Parameter:
    """The flag without a default: the recipe may have another one, and a checkpoint keeps its own."""
    type_, option = get_args(flag.annotation)
    option.help += f" [default: {flag.default}, or the recipe's]"
    return flag.replace(default=None, annotation=Annotated[type_ | None, option])


def register(app: typer.Typer) -> None:
    """Add this module's commands to `kqa`."""
    app.command("pretrain")(with_flags(pretrain))
    app.command("finetune")(with_flags(finetune))
    app.command("evaluate")(with_flags(evaluate))
    app.command("variants")(variants)


def pretrain(
    variant: Variant,
    corpus: Corpus,
    writing_params_path: Writing,
    finetune_corpus_path: Annotated[
        Path | None,
        typer.Option(
            "--finetune_corpus_path", help="train questions (best, best_questions and small need them)"
        ),
    ] = None,
    save_seconds: SaveSeconds = 20.0,
    tb_expt_name: Log = None,
    *,
    config: TrainingConfig,
) -> None:
    """Train a new model on the documents of a corpus. After an interruption, the same command continues.

    Example: kqa pretrain vanilla wiki.txt --writing_params_path vanilla.pretrain.params
    """
    from kqa_core.training import runs

    _answer_log(tb_expt_name)
    done = runs.pretrain(
        variant, corpus, writing_params_path, finetune_corpus_path, config, save_seconds=save_seconds
    )
    _report(done, writing_params_path)


def finetune(
    variant: Variant,
    corpus: Corpus,
    finetune_corpus_path: Annotated[
        Path, typer.Option("--finetune_corpus_path", help="questions with answers (birth_places_train.tsv)")
    ],
    writing_params_path: Writing,
    reading_params_path: Annotated[
        Path | None,
        typer.Option("--reading_params_path", help="a pretrained model; without it, a new one is trained"),
    ] = None,
    save_seconds: SaveSeconds = 20.0,
    tb_expt_name: Log = None,
    *,
    config: TrainingConfig,
) -> None:
    """Train a model to answer questions. After an interruption, the same command continues.

    Example: kqa finetune vanilla wiki.txt --reading_params_path vanilla.pretrain.params
    --writing_params_path vanilla.finetune.params --finetune_corpus_path birth_places_train.tsv
    """
    from kqa_core.training import runs

    _answer_log(tb_expt_name)
    files = (corpus, finetune_corpus_path, writing_params_path, reading_params_path)
    _report(runs.finetune(variant, *files, config, save_seconds=save_seconds), writing_params_path)


def evaluate(
    variant: Variant,
    corpus: Corpus,
    reading_params_path: Annotated[Path, typer.Option("--reading_params_path", help="the model")],
    eval_corpus_path: Annotated[
        Path, typer.Option("--eval_corpus_path", help="questions, with answers (birth_dev.tsv) or without")
    ],
    outputs_path: Annotated[
        Path | None,
        typer.Option("--outputs_path", help="where the answers go, one a line [default: nowhere]"),
    ] = None,
    device: Device = "auto",
    *,
    model: Model,
) -> None:
    """Let a model answer all questions of a file, write the answers, and print the accuracy.

    Example: kqa evaluate vanilla wiki.txt --reading_params_path vanilla.finetune.params
    --eval_corpus_path birth_dev.tsv --outputs_path vanilla.pretrain.dev.predictions
    """
    from kqa_core.evaluation import evaluate as evaluation
    from kqa_core.files import check_writable, write_together
    from kqa_core.hardware import find_device
    from kqa_core.model.variant_registry import find_variant
    from kqa_core.text.corpus import read_pairs, training_corpus
    from kqa_core.training.runs import load_for

    find_variant(variant)
    place = find_device(device)
    if outputs_path is not None:
        check_writable(outputs_path)
    vocabulary = training_corpus(corpus).vocabulary
    pairs = read_pairs(eval_corpus_path)
    trained = load_for(reading_params_path, variant, vocabulary, corpus, model).model
    result = evaluation.evaluate(trained.to(place), vocabulary, pairs)
    if outputs_path is not None:
        # one for each question, whatever it says
        lines = (answer.replace("\n", " ") + "\n" for answer in result.predictions)
        write_together(outputs_path.parent, {outputs_path.name: "".join(lines)})
    if result.accuracy.total:
        print(result)
    elif outputs_path is not None:
        print(f"Predictions written to {outputs_path}; no targets provided")
    else:
        print("\n".join(result.predictions))


def variants() -> None:
    """List the variants, with the equation of their attention.

    Example: kqa variants
    """
    from kqa_core.model.variant_registry import find_variant

    names = variant_names()
    wide = max(len(name) for name in names)
    for name in names:
        print(f"{name:{wide}}  {find_variant(name).summary}")


def _answer_log(name: str | None) -> None:
    if name is not None:
        print("--tb_expt_name: no TensorBoard log is written; the losses are in the checkpoint's state.json")


def _report(done: Trained, path: Path) -> None:
    from kqa_core.progress import remaining

    resumed = f" (resumed at step {done.resumed_at})" if done.resumed_at else ""
    size = f"{done.model.config.variant}, {done.model.count_parameters():,} parameters"
    steps = f"{len(done.losses):,} steps in {done.description['precision']}{resumed}"
    print(f"{path}: {size}, {steps}, loss {done.losses[-1]:.3f}, {remaining(done.seconds)}")
