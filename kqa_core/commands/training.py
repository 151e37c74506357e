"""`kqa pretrain|finetune|evaluate VARIANT CORPUS …`: the original assignment's commands, with the same flags.

Every command of its handout works with `kqa` instead of `python src/run.py`. All other flags of `kqa` are
optional; `kqa variants` lists the variants.

The flags of the model (`--n_layer`, `--positions`, and so on) are made from `GPTConfig`. They are for a new
model, and its checkpoint keeps the values. If a checkpoint is read, the flags may be given again, as in the
handout of 2023, and must agree with it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from kqa_core.model.config import GPTConfig
from kqa_core.model.variant_registry import variant_names

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
RecipeName = Annotated[
    str, typer.Option("--recipe", help="assignment (to the letter), best, best_questions or small")
]
Seed = Annotated[int, typer.Option("--seed", min=0, max=2**32 - 1, help="seed of all random numbers")]
Epochs = Annotated[int | None, typer.Option("--epochs", help="passes over the data [default: the recipe's]")]
Steps = Annotated[int | None, typer.Option("--steps", help="number of batches [default: the recipe's]")]
SaveSeconds = Annotated[
    float,
    typer.Option("--save_seconds", help="seconds between saved states, from which a killed run continues"),
]
Device = Annotated[str, typer.Option("--device", help="auto (a GPU where torch finds one), cpu or cuda")]
Model = dict[str, object]  # the fields of GPTConfig that flags were given for


def with_model_flags(command: Callable[..., None]) -> Callable[..., None]:
    """`command` with a flag for each field of `GPTConfig` that has help text, in place of its parameter
    `model`.

    The flags are named and described by the fields themselves, so a new field becomes a flag without a change
    here.
    """
    types = get_type_hints(GPTConfig)
    flags = []
    for field in fields(GPTConfig):
        if "help" in field.metadata:
            on_and_off = (
                f"--{field.name}/--no_{field.name}" if types[field.name] is bool else f"--{field.name}"
            )
            option = typer.Option(
                on_and_off, help=f"{field.metadata['help']} [default: {field.default}, or the recipe's]"
            )
            annotation: Any = Annotated[types[field.name] | None, option]
            flags.append(
                inspect.Parameter(
                    field.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
                )
            )

    @functools.wraps(command)
    def with_model(**given: Any) -> None:
        values = {flag.name: given.pop(flag.name) for flag in flags}
        command(**given, model={name: value for name, value in values.items() if value is not None})

    own = [
        each for each in inspect.signature(command, eval_str=True).parameters.values() if each.name != "model"
    ]
    with_model.__signature__ = inspect.Signature([*own, *flags])  # type: ignore[attr-defined]  # typer reads these two
    with_model.__annotations__ = {each.name: each.annotation for each in (*own, *flags)}
    return with_model


def register(app: typer.Typer) -> None:
    """Add this module's commands to `kqa`."""
    app.command("pretrain")(with_model_flags(pretrain))
    app.command("finetune")(with_model_flags(finetune))
    app.command("evaluate")(with_model_flags(evaluate))
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
    recipe: RecipeName = "assignment",
    seed: Seed = 0,
    epochs: Epochs = None,
    steps: Steps = None,
    save_seconds: SaveSeconds = 20.0,
    device: Device = "auto",
    *,
    model: Model,
) -> None:
    """Train a new model on the documents of a corpus. After an interruption, the same command continues.
    Several processes: torchrun --standalone --nproc-per-node=2 -m kqa_core.cli pretrain … (docs/training.md).

    Example: kqa pretrain vanilla wiki.txt --writing_params_path vanilla.pretrain.params
    """
    from kqa_core.training import runs

    done = runs.pretrain(
        variant,
        corpus,
        writing_params_path,
        finetune_corpus_path,
        recipe=recipe,
        seed=seed,
        epochs=epochs,
        steps=steps,
        device=device,
        model=model,
        save_seconds=save_seconds,
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
    recipe: RecipeName = "assignment",
    seed: Seed = 0,
    epochs: Epochs = None,
    steps: Steps = None,
    save_seconds: SaveSeconds = 20.0,
    device: Device = "auto",
    *,
    model: Model,
) -> None:
    """Train a model to answer questions. After an interruption, the same command continues.

    Example: kqa finetune vanilla wiki.txt --reading_params_path vanilla.pretrain.params
    --writing_params_path vanilla.finetune.params --finetune_corpus_path birth_places_train.tsv
    """
    from kqa_core.training import runs

    done = runs.finetune(
        variant,
        corpus,
        finetune_corpus_path,
        writing_params_path,
        reading_params_path,
        recipe=recipe,
        seed=seed,
        epochs=epochs,
        steps=steps,
        device=device,
        model=model,
        save_seconds=save_seconds,
    )
    _report(done, writing_params_path)


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
    from kqa_core.text.birthplaces import read_pairs, read_text
    from kqa_core.text.vocabulary import Vocabulary
    from kqa_core.training.distributed import is_first_process
    from kqa_core.training.runs import load_for

    find_variant(variant)
    place = find_device(device)
    if not is_first_process():
        return  # only the first process evaluates
    if outputs_path is not None:
        check_writable(outputs_path)
    vocabulary = Vocabulary.from_text(read_text(corpus))
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


def _report(done: Trained, path: Path) -> None:
    from kqa_core.progress import remaining
    from kqa_core.training.distributed import is_first_process

    if not is_first_process():
        return
    resumed = f" (resumed at step {done.resumed_at})" if done.resumed_at else ""
    size = f"{done.model.config.variant}, {done.model.count_parameters():,} parameters"
    steps = f"{len(done.losses):,} steps in {done.description['precision']}{resumed}"
    print(f"{path}: {size}, {steps}, loss {done.losses[-1]:.3f}, {remaining(done.seconds)}")
