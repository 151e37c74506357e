"""`kqa pretrain|finetune|evaluate VARIANT CORPUS …`: the original assignment's commands, its flags spelled as there.

Every command of its handout works with `kqa` in place of `python src/run.py`. What `kqa` adds is optional.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Variant = Annotated[str, typer.Argument(help="vanilla, synthesizer or rope")]
Corpus = Annotated[Path, typer.Argument(help="the pretraining corpus (wiki.txt); its characters are the vocabulary")]
Writing = Annotated[Path, typer.Option("--writing_params_path", help="where the trained model goes (a directory)")]
RecipeName = Annotated[str, typer.Option("--recipe", help="assignment (to the letter), best, or small (for the small world)")]
Seed = Annotated[int, typer.Option("--seed", help="another seed is another run")]
Epochs = Annotated[int | None, typer.Option("--epochs", help="in place of the recipe's")]
Steps = Annotated[int | None, typer.Option("--steps", help="in place of the recipe's")]
SaveSeconds = Annotated[
    float, typer.Option("--save_seconds", help="how often the state is saved that a killed run continues from")
]


def register(app: typer.Typer) -> None:
    """Add this module's commands to `kqa`."""
    app.command("pretrain")(pretrain)
    app.command("finetune")(finetune)
    app.command("evaluate")(evaluate)


def pretrain(
    variant: Variant,
    corpus: Corpus,
    writing_params_path: Writing,
    finetune_corpus_path: Annotated[
        Path | None, typer.Option("--finetune_corpus_path", help="train questions to mix in (recipes best and small)")
    ] = None,
    recipe: RecipeName = "assignment",
    seed: Seed = 0,
    epochs: Epochs = None,
    steps: Steps = None,
    save_seconds: SaveSeconds = 20.0,
) -> None:
    """Teach a new model the documents of a corpus. Killed and started again, it goes on where it was.

    Example: kqa pretrain vanilla wiki.txt --writing_params_path vanilla.pretrain.params
    """
    from kqa_core import train

    done = train.pretrain(
        variant,
        corpus,
        writing_params_path,
        finetune_corpus_path,
        recipe=recipe,
        seed=seed,
        epochs=epochs,
        steps=steps,
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
        Path | None, typer.Option("--reading_params_path", help="a pretrained model; without it, a new one is trained")
    ] = None,
    recipe: RecipeName = "assignment",
    seed: Seed = 0,
    epochs: Epochs = None,
    steps: Steps = None,
    save_seconds: SaveSeconds = 20.0,
) -> None:
    """Teach a model to answer questions. Killed and started again, it goes on where it was.

    Example: kqa finetune vanilla wiki.txt --reading_params_path vanilla.pretrain.params
    --writing_params_path vanilla.finetune.params --finetune_corpus_path birth_places_train.tsv
    """
    from kqa_core import train

    done = train.finetune(
        variant,
        corpus,
        finetune_corpus_path,
        writing_params_path,
        reading_params_path,
        recipe=recipe,
        seed=seed,
        epochs=epochs,
        steps=steps,
        save_seconds=save_seconds,
    )
    _report(done, writing_params_path)


def evaluate(
    variant: Variant,
    corpus: Corpus,
    reading_params_path: Annotated[Path, typer.Option("--reading_params_path", help="the model to ask")],
    eval_corpus_path: Annotated[
        Path, typer.Option("--eval_corpus_path", help="questions, with answers (birth_dev.tsv) or without")
    ],
    outputs_path: Annotated[
        Path | None, typer.Option("--outputs_path", help="where the answers go, one a line [default: nowhere]")
    ] = None,
) -> None:
    """Ask a model every question of a file, write its answers, and say how many are right.

    Example: kqa evaluate vanilla wiki.txt --reading_params_path vanilla.finetune.params
    --eval_corpus_path birth_dev.tsv --outputs_path vanilla.pretrain.dev.predictions
    """
    from kqa_core import evaluate as evaluation
    from kqa_core.text.files import write_together
    from kqa_core.text.names import read_pairs, read_text
    from kqa_core.text.vocabulary import Vocabulary
    from kqa_core.train import load_for
    from kqa_core.variants import find_variant

    find_variant(variant)
    if outputs_path is not None:
        check_file_writable(outputs_path)
    vocabulary = Vocabulary.from_text(read_text(corpus))
    pairs = read_pairs(eval_corpus_path)
    model = load_for(reading_params_path, variant, vocabulary, corpus).model
    result = evaluation.evaluate(model, vocabulary, pairs)
    if outputs_path is not None:
        lines = [answer.replace("\n", " ") for answer in result.predictions]  # one line a question, whatever the model wrote
        write_together(outputs_path.parent, {outputs_path.name: "".join(f"{line}\n" for line in lines)})
    if result.total:
        print(result)
    elif outputs_path is not None:
        print(f"Predictions written to {outputs_path}; no targets provided")
    else:
        print("\n".join(result.predictions))


def check_file_writable(path: Path) -> None:
    """Raise UserError now where writing the file `path` would fail after the work is done. Leaves nothing behind."""
    import os

    from kqa_core.errors import UserError

    if path.is_dir():
        raise UserError(f"{path}: a file was to be written here, this is a directory: give a file's path")
    if not path.parent.is_dir():
        raise UserError(f"{path}: there is no directory {path.parent}: make it first, or write elsewhere")
    probe = path.parent / f".{path.name}.probe.{os.getpid()}"
    try:
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as error:
        raise UserError(f"{path}: cannot be written ({error.strerror}): give a path that can") from None


def _report(done: object, path: Path) -> None:
    from kqa_core.progressbar import remaining
    from kqa_core.train import Trained

    assert isinstance(done, Trained)
    resumed = f" (taken up at step {done.resumed_at})" if done.resumed_at else ""
    size = f"{done.model.config.variant}, {done.model.count_parameters():,} parameters"
    print(f"{path}: {size}, {len(done.losses):,} steps{resumed}, loss {done.losses[-1]:.3f}, {remaining(done.seconds)}")
